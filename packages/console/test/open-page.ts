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
  /** What the page wrote to its console as an error, and what it asked of other hosts. */
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
}

/** Starts a host with the console, and opens the page as `trunkline open` does. */
export async function openConsole({
  settings,
  accepted = [],
  path = '/',
  run,
  environment = {},
}: ConsoleOptions = {}): Promise<OpenConsole> {
  const folder = await builtConsole()
  await using opened = new AsyncDisposableStack()
  const ann = opened.use(person())
  if (settings !== undefined) ann.configure(typeof settings === 'function' ? settings(ann) : settings)
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, ...environment } }
  const running = opened.use(await ann.run({ machine, console: folder, ask: { holdMs: 600_000 }, ...run }))
  for (const server of accepted) await running.host.accept(server)
  const browser = await launchBrowser()
  opened.defer(() => browser.close())
  const faults: string[] = []
  const page = await newPage(browser, running, faults)
  await page.goto(addressOf(running, path))
  // the page trades its code for a secret before it shows anything; who goes on sooner is signed out
  await page.locator('#root > *').first().waitFor({ state: 'attached' })
  const kept = opened.move()
  return { ann, running, browser, page, faults, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** The address of a screen, with a code that works once. */
export function addressOf({ host, api }: Running, path = '/'): string {
  return new URL(`${path}#code=${api.pages.makeCode().code}`, host.url).href
}

/** A page that keeps what goes wrong in it. */
export async function newPage(browser: Browser, { host }: Running, faults: string[]): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const own = new URL(host.url).host
  page.on('pageerror', (error) => faults.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.host !== own) faults.push(`request: ${request.url()}`)
  })
  return page
}
