/** A host with a scripted model, one server or two and its API, and conversations through it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before } from 'node:test'
import { type ApiClient, apiClient } from '../../src/api/client.ts'
import type { ChatEvent } from '../../src/chat/event.ts'
import type { RunHostOptions, RunningHost } from '../../src/running/run-host-types.ts'
import { providerKey, type ScriptedProvider, type ScriptedReply, scriptedProvider } from '../model/scripted-provider.ts'
import { type Person, person, programEntry } from '../run/person.ts'

export interface Chatting extends AsyncDisposable {
  readonly ann: Person
  readonly provider: ScriptedProvider
  readonly running: RunningHost
  readonly api: ApiClient
  /** Says something in a conversation, and hears all until its end. */
  say(id: string, input: object, onEvent?: (event: ChatEvent) => unknown): Promise<readonly ChatEvent[]>
  /** Ends the host and starts it again. */
  restart(): Promise<void>
}

export interface ChattingOptions {
  readonly provider?: 'anthropic' | 'compatible'
  readonly model?: object
  /** True for a second server, which has resources and prompts. @default false */
  readonly library?: boolean
  readonly settings?: object
  readonly run?: Partial<RunHostOptions>
}

/** Starts it all. */
export async function chatting(replies: readonly ScriptedReply[], options: ChattingOptions = {}): Promise<Chatting> {
  const { provider: kind = 'compatible', model = {}, library = false, run = {} } = options
  const mcpServers = { one: programEntry(), ...(library && { library: programEntry('library') }) }
  const settings = { mcpServers, ...options.settings }
  const provider = await scriptedProvider(...replies)
  const ann = person()
  ann.configure({
    models: { best: { provider: kind, url: provider.url, key: `\${KEY}`, inputPrice: 1, outputPrice: 2, ...model } },
    ...settings,
  })
  const names = ['one', 'library'].filter((name) => name in settings.mcpServers)
  const machine = { ...ann.machine, environment: { ...ann.machine.environment, KEY: providerKey } }
  const start = () => ann.run({ machine, ask: { holdMs: 100 }, ...run })
  let running = await start()
  for (const name of names) await running.host.accept(name)
  await running.host.catalogue.classify('one', 'echo', 'reads')
  const opened = () => apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8')))
  return {
    ann,
    provider,
    get running() {
      return running
    },
    get api() {
      return opened()
    },
    say: (id, input, onEvent) => conversed(opened(), id, input, onEvent),
    async restart() {
      await running.close()
      running = await start()
    },
    async [Symbol.asyncDispose]() {
      await running.close()
      await provider[Symbol.asyncDispose]()
      ann[Symbol.dispose]()
    },
  }
}

/** One of them for the tests of a suite: each begins a script of its own. */
export function sharedChatting(options?: ChattingOptions): (...replies: readonly ScriptedReply[]) => Chatting {
  let shared: Chatting | undefined
  before(async () => {
    shared = await chatting([], options)
  })
  after(() => shared?.[Symbol.asyncDispose]())
  return (...replies) => {
    const at = shared ?? assert.fail('it was not started')
    at.provider.begin(...replies)
    return at
  }
}

async function conversed(
  api: ApiClient,
  id: string,
  input: object,
  onEvent: (event: ChatEvent) => unknown = () => {},
): Promise<readonly ChatEvent[]> {
  const stop = new AbortController()
  const heard: ChatEvent[] = []
  let opened = (): void => {}
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve
  })
  const listening = (async () => {
    try {
      for await (const event of api.events(stop.signal, opened)) {
        if (event.event !== 'chat' || event.conversation !== id) continue
        heard.push(event.chat)
        await onEvent(event.chat)
        if (event.chat.type === 'end' || event.chat.type === 'failed') return
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  })()
  try {
    await Promise.race([isOpen, listening])
    await api.call('sendChat', { id, ...input })
    await listening
    return heard
  } finally {
    stop.abort()
    await listening
  }
}

/** The texts of events together. */
export function said(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}
