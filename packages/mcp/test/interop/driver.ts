/** One way to drive every client, so that what is tested is written once. */
import type { Mailbox } from '../mailbox.ts'

export interface CallResult {
  readonly content: readonly unknown[]
  readonly structuredContent?: unknown
  readonly isError?: boolean | undefined
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: {
    progress: number
    total?: number | undefined
    message?: string | undefined
  }) => void
}

/** Something a server tells without being asked. */
export type Change = 'tools' | { readonly uri: string }

/** A client that is connected to a server, and answers it with {@link answers}. */
export interface Driver extends AsyncDisposable {
  readonly revision: string | undefined
  readonly instructions: string | undefined
  /** Messages of level info and above. */
  readonly logs: Mailbox<{ readonly level: string; readonly data: unknown; readonly logger?: string | undefined }>
  tools(): Promise<readonly string[]>
  call(tool: string, input?: Record<string, unknown>, options?: CallOptions): Promise<CallResult>
  resources(): Promise<readonly string[]>
  templates(): Promise<readonly string[]>
  read(uri: string): Promise<readonly unknown[]>
  /** The names of the prompts, page by page. */
  promptPages(): Promise<readonly (readonly string[])[]>
  prompt(name: string, input?: Record<string, string>): Promise<readonly unknown[]>
  complete(ref: { prompt: string } | { template: string }, argument: string, value: string): Promise<readonly string[]>
  ping(): Promise<unknown>
  /** Hears of changes until the returned function is called. */
  watch(interest: Change, onChange: (change: Change) => void): Promise<() => Promise<unknown>>
}

/** Answers of the clients to all that a server asks. */
export const answers = {
  form: { action: 'accept', content: { milk: true } },
  visit: { action: 'accept' },
  sample: { role: 'assistant', model: 'barista', content: { type: 'text', text: 'yes' } },
  roots: [{ uri: 'file:///cafe', name: 'cafe' }],
} as const

export const driverInfo = { name: 'driver', version: '1.0.0' }
