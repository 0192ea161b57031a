import { basename } from 'node:path'
import { pathOfUri } from '@trunkline/server-kit/folders'
import { quoted } from '@trunkline/server-kit/preview'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { Diagnostic } from 'vscode-languageserver-types'
import type { CodeLimits } from '../code-limits.ts'
import { type Language, languageId } from '../languages.ts'
import { clientCapabilities, type LspCapabilities } from './client-capabilities.ts'
import { LspConnection, LspError } from './connection.ts'
import { Documents, fileUri } from './documents.ts'
import { ProgramGroup } from './program-group.ts'

/** Project that a language server is started for. */
export interface LanguageServerTarget {
  readonly language: Language
  readonly command: readonly string[]
  readonly root: string
  readonly limits: CodeLimits
}

/** A question about a file. */
export interface DocumentQuestion {
  /** Parameters beside the file. */
  readonly params?: object
  readonly signal: AbortSignal
}

/** Time for a server to read a file that was just opened. */
const settleMs = 2_000

/** One process of a language server, from its start to its end. */
export class LanguageServer {
  readonly closed: Promise<string>
  readonly documents: Documents
  readonly #target: LanguageServerTarget
  readonly #program: ProgramGroup
  readonly #connection: LspConnection
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>()
  readonly #progress = new Set<unknown>()
  readonly #published = new Set<(path: string) => void>()
  #capabilities: LspCapabilities = {}

  private constructor(target: LanguageServerTarget) {
    this.#target = target
    const { command, root, limits } = target
    this.#program = new ProgramGroup({ words: command, cwd: root })
    this.#connection = new LspConnection(
      this.#program,
      {
        answer: (method, params) => this.#answer(method, params),
        notified: (method, params) => this.#notified(method, params),
      },
      limits,
    )
    this.documents = new Documents((method, params) => this.#connection.notify(method, params), limits.maxOpenFiles)
    this.closed = this.#connection.closed.then(async (why) => {
      await this.#program.stop(limits.graceMs)
      return why
    })
  }

  /** Starts the program and waits until it is ready. */
  static async start(target: LanguageServerTarget): Promise<LanguageServer> {
    const server = new LanguageServer(target)
    try {
      await server.#initialize()
      return server
    } catch (error) {
      server.#connection.close('it was not ready in time')
      await server.closed
      throw error
    }
  }

  /** The end of what it wrote to standard error. */
  get stderr(): string {
    return this.#program.stderr
  }

  get capabilities(): LspCapabilities {
    return this.#capabilities
  }

  /** True while it says that it is working. */
  get isBusy(): boolean {
    return this.#progress.size > 0
  }

  /** Asks the server; what it refuses or does not answer becomes a problem for the caller. */
  async request(method: string, params: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> {
    const { signal } = options
    try {
      return await this.#connection.request(method, params, signal && { signal })
    } catch (error) {
      if (!(error instanceof LspError)) throw error
      const who = `The language server of ${this.#target.language.name}`
      // its own words are text of others
      if (error.code !== undefined) throw new ToolProblem('refused', `${who} refused: ${quoted(error.message)}`)
      throw new ToolProblem('unavailable', `${who} failed: ${error.message}`, {
        next: 'Ask again; list_servers says how it is',
      })
    }
  }

  /**
   * Asks about an open file. Some servers answer with nothing while they are still reading it: then the diagnostics of the
   * file are waited for, and it is asked once more.
   */
  async askAbout(path: string, method: string, options: DocumentQuestion): Promise<unknown> {
    const { params = {}, signal } = options
    const asked = { textDocument: { uri: fileUri(path) }, ...params }
    const answer = await this.request(method, asked, { signal })
    if (!isEmpty(answer) || this.#capabilities.diagnosticProvider || this.#diagnostics.has(path)) return answer
    await this.#whenPublished(path, settleMs)
    return this.request(method, asked, { signal })
  }

  notify(method: string, params: unknown): void {
    this.#connection.notify(method, params)
  }

  /** Tells the server the text of a file, if it does not have it. */
  sync(path: string, text: string): void {
    const isTold = this.documents.sync(path, text, languageId(this.#target.language, path))
    // told diagnostics belong to the text before
    if (isTold) this.#diagnostics.delete(path)
  }

  /** Diagnostics of a file as they were told or asked for last; undefined if not since its text changed. */
  knownDiagnostics(path: string): readonly Diagnostic[] | undefined {
    return this.#diagnostics.get(path)
  }

  /** Asks for the diagnostics of an open file, or waits until the server tells them; undefined if it does not in time. */
  async diagnostics(
    path: string,
    { signal, waitMs }: { readonly signal?: AbortSignal; readonly waitMs: number },
  ): Promise<readonly Diagnostic[] | undefined> {
    if (this.#capabilities.diagnosticProvider) {
      const params = { textDocument: { uri: fileUri(path) } }
      const answer = await this.request('textDocument/diagnostic', params, signal && { signal })
      this.#diagnostics.set(path, (answer as { items?: Diagnostic[] } | undefined)?.items ?? [])
    } else await this.#whenPublished(path, waitMs)
    return this.#diagnostics.get(path)
  }

  /** Waits until the server has told the diagnostics of a file, has ended, or the time is over. */
  async #whenPublished(path: string, waitMs: number): Promise<void> {
    if (this.#diagnostics.has(path)) return
    await new Promise<void>((resolve) => {
      const settle = (): void => {
        clearTimeout(timer)
        this.#published.delete(heard)
        resolve()
      }
      const heard = (told: string): void => {
        if (told === path) settle()
      }
      const timer = setTimeout(settle, waitMs)
      this.#published.add(heard)
      void this.closed.then(settle)
    })
  }

  /** Calls back whenever the server tells diagnostics. */
  onPublished(heard: (path: string) => void): void {
    this.#published.add(heard)
  }

  /** Asks the server to end, and ends it with all that it started if it does not. */
  async stop(): Promise<void> {
    const { graceMs } = this.#target.limits
    await this.#connection.request('shutdown', null, { timeoutMs: graceMs }).catch(() => {})
    this.#connection.notify('exit', null)
    const timer = setTimeout(() => this.#connection.close('it was ended'), graceMs)
    await this.closed
    clearTimeout(timer)
  }

  async #initialize(): Promise<void> {
    const { root, limits, language } = this.#target
    const uri = fileUri(root)
    const params = {
      processId: process.pid,
      clientInfo: { name: 'trunkline-code' },
      rootUri: uri,
      rootPath: root,
      workspaceFolders: [{ uri, name: basename(root) }],
      capabilities: clientCapabilities,
      initializationOptions: language.settings?.initializationOptions ?? {},
    }
    const result = await this.#connection.request('initialize', params, { timeoutMs: limits.startMs })
    this.#capabilities = (result as { capabilities?: LspCapabilities } | undefined)?.capabilities ?? {}
    this.#connection.notify('initialized', {})
    if (language.settings) this.#connection.notify('workspace/didChangeConfiguration', { settings: language.settings })
  }

  #answer(method: string, params: unknown): { result: unknown } | undefined {
    if (method === 'workspace/configuration') {
      const { items = [] } = params as { items?: readonly { section?: string }[] }
      return { result: items.map(({ section }) => settingOf(this.#target.language, section)) }
    }
    if (method === 'workspace/workspaceFolders') {
      return { result: [{ uri: fileUri(this.#target.root), name: basename(this.#target.root) }] }
    }
    // an edit is made by the tools, never by a server of its own accord
    if (method === 'workspace/applyEdit') return { result: { applied: false } }
    if (method === 'client/registerCapability') this.#register(params as Registrations)
    return answeredWithNothing.has(method) ? { result: null } : undefined
  }

  #register({ registrations = [] }: Registrations): void {
    if (registrations.some(({ method }) => method === 'textDocument/diagnostic'))
      this.#capabilities = { ...this.#capabilities, diagnosticProvider: true }
  }

  #notified(method: string, params: unknown): void {
    if (method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = params as { uri: string; diagnostics: readonly Diagnostic[] }
      const path = pathOfUri(uri)
      if (path === undefined || !this.documents.has(path)) return
      this.#diagnostics.set(path, diagnostics)
      for (const heard of [...this.#published]) heard(path)
    }
    if (method !== '$/progress') return
    const { token, value } = params as { token: unknown; value?: { kind?: string } }
    if (value?.kind === 'begin' && this.#progress.size < 100) this.#progress.add(token)
    if (value?.kind === 'end') this.#progress.delete(token)
  }
}

function isEmpty(answer: unknown): boolean {
  return answer === null || answer === undefined || (Array.isArray(answer) && answer.length === 0)
}

interface Registrations {
  readonly registrations?: readonly { readonly method: string }[]
}

const answeredWithNothing: ReadonlySet<string> = new Set([
  'client/registerCapability',
  'client/unregisterCapability',
  'window/showMessageRequest',
  'window/workDoneProgress/create',
  'workspace/codeLens/refresh',
  'workspace/diagnostic/refresh',
  'workspace/inlayHint/refresh',
  'workspace/semanticTokens/refresh',
])

function settingOf({ settings = {} }: Language, section: string | undefined): unknown {
  return section === undefined ? settings : (settings[section] ?? null)
}
