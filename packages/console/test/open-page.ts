/** A person with a host and its console open in a browser. */
import type { Browser, Page } from 'playwright-core'
import { type Person, person } from '../../host/test/run/person.ts'
import { launchBrowser } from '../../mcp/test/fixtures/browser.ts'
import { builtConsole } from './built-console.ts'

type Running = Awaited<ReturnType<Person['run']>>

export interface OpenConsole extends AsyncDisposable {
  readonly ann: Person
  readonly running: Running
  readonly browser: Browser
  readonly page: Page
  /** Errors that the page wrote to its console, and its requests to other hosts. */
  readonly faults: string[]
}

export interface ConsoleOptions {
  /** The person's own configuration, or what makes it when their home is there. */
  readonly settings?: unknown | ((ann: Person) => unknown)
  /** The servers that are accepted before the page opens. */
  readonly accepted?: readonly string[]
  /** The screen that is opened. @default '/' */
  readonly path?: string
  readonly run?: Parameters<Person['run']>[0]
  /** Variables that are set besides, such as keys. */
  readonly environment?: { readonly [name: string]: string }
  /** The browser to open it in. @default one of its own, which is closed with it */
  readonly browser?: Browser
}

// a host that looks at its files fifty times a second takes a fifth of the time of a test that waits for a page
const everyMs = 200

/** Time for the start of a server: on a machine with much else to do it takes long, and is no failure. */
export const startTimeoutMs = 120_000

/** Starts a host with the console, and opens the page as `trunkline open` does. */
export async function openConsole({
  settings,
  accepted = [],
  path = '/',
  run,
  environment = {},
  browser: shared,
}: ConsoleOptions = {}): Promise<OpenConsole> {
  const folder = await builtConsole()
  await using opened = new AsyncDisposableStack()
  const ann = opened.use(person())
  if (settings !== undefined) ann.configure(patient(typeof settings === 'function' ? settings(ann) : settings))
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, ...environment } }
  const options = { machine, console: folder, everyMs, ask: { holdMs: 600_000, previewMs: startTimeoutMs }, ...run }
  const running = opened.use(await ann.run(options))
  for (const server of accepted) await running.host.accept(server)
  const browser = shared ?? (await launchBrowser())
  if (!shared) opened.defer(() => browser.close())
  const faults: string[] = []
  const page = await newPage(browser, running, faults)
  opened.defer(() => page.context().close())
  await page.goto(addressOf(running, path))
  // the page trades its code for a secret before it shows anything; who goes on sooner is signed out
  await page.locator('#root > *').first().waitFor({ state: 'attached' })
  const kept = opened.move()
  return { ann, running, browser, page, faults, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** The same settings, whose programs may take long to start. */
function patient(settings: unknown): unknown {
  const { mcpServers, ...others } = settings as { readonly mcpServers?: { readonly [name: string]: object } }
  if (!mcpServers) return settings
  const entries = Object.entries(mcpServers).map(
    ([name, entry]) => [name, 'command' in entry ? { startTimeoutMs, ...entry } : entry] as const,
  )
  return { ...others, mcpServers: Object.fromEntries(entries) }
}

/** The address of a screen, with a code that works once. */
export function addressOf({ host, api }: Running, path = '/'): string {
  return new URL(`${path}#code=${api.pages.makeCode().code}`, host.url).href
}

/**
 * Goes to a screen of a page that is open, as its links do: what the page knows stays, and nothing is loaded anew. Returns
 * when the screen is there.
 */
export async function visit(page: Page, path: string): Promise<void> {
  // the router hears of what is pushed, and keeps where it is in a global
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await page.waitForFunction(() => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as { __TSR_ROUTER__: { state: RouterState } }
    const { state } = router
    return state.status === 'idle' && state.resolvedLocation?.href === location.pathname + location.search
  })
}

/** Waits for a title of the window, which follows what the page shows. */
export async function titled(page: Page, title: string): Promise<void> {
  await page.waitForFunction((wanted) => document.title === wanted, title)
}

interface RouterState {
  readonly status: string
  readonly resolvedLocation?: { readonly href: string }
}

/** Faults of each page so far. */
export const faultsOfPages = new WeakMap<Page, readonly string[]>()

/** A page that keeps what goes wrong in it. */
export async function newPage(browser: Browser, { host }: Running, faults: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  faultsOfPages.set(page, faults)
  const own = new URL(host.url).host
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.host !== own) faults.push(`request: ${request.url()}`)
  })
  return page
}
