import { readFile } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import type { Context } from '@trunkline/mcp'
import type { AllowedFolders } from '@trunkline/server-kit/folders'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import type { AcceptedCommands, ProgramToAccept } from './accepted.ts'
import type { CodeLimits } from './code-limits.ts'
import { type Language, languageOf } from './languages.ts'
import { fileUri } from './lsp/documents.ts'
import type { LanguageServer } from './lsp/language-server.ts'
import { ServerSlot } from './lsp/server-slot.ts'
import { ProjectFiles } from './project-files.ts'
import { serverCommand } from './server-command.ts'
import { readTextFile } from './text-files.ts'

/** Options of a {@link Project}. */
export interface ProjectOptions {
  readonly root: string
  readonly languages: readonly Language[]
  readonly accepted: AcceptedCommands
  readonly limits: CodeLimits
}

/** A language with files in a project. */
export interface PresentLanguage {
  readonly language: Language
  readonly files: number
}

/** A directory that is served: its files, and a language server per language. */
export class Project {
  readonly root: string
  name: string
  readonly limits: CodeLimits
  readonly accepted: AcceptedCommands
  readonly files: ProjectFiles
  /** Called whenever a language server told diagnostics. */
  onDiagnostics: () => void = () => {}
  readonly #languages: readonly Language[]
  readonly #slots = new Map<string, ServerSlot>()
  #looking: Promise<void> | undefined

  constructor({ root, languages, accepted, limits }: ProjectOptions) {
    this.root = root
    this.name = basename(root) || root
    this.limits = limits
    this.accepted = accepted
    this.#languages = languages
    this.files = new ProjectFiles(root, languages, limits.maxFiles)
  }

  /** The folder alone, for files that a language server names. */
  get allowed(): AllowedFolders {
    return { folders: [this.root], base: this.root }
  }

  /** A path as results show it. */
  shown(path: string): string {
    return relative(this.root, path).split(sep).join('/')
  }

  languageOf(path: string): Language {
    const language = languageOf(this.#languages, path)
    if (language?.command !== undefined) return language
    throw new ToolProblem(
      'unavailable',
      `Cannot ask about ${JSON.stringify(this.shown(path))}: no language server is configured for such files`,
      {
        next: `Configure one with --language 'NAME:.end=COMMAND'; get_syntax may know the language`,
      },
    )
  }

  /** Languages with files in this project, the one with the most files first. */
  async languages(): Promise<readonly PresentLanguage[]> {
    const counts = new Map<Language, number>()
    for (const path of await this.files.paths()) {
      const language = languageOf(this.#languages, path)
      if (language) counts.set(language, (counts.get(language) ?? 0) + 1)
    }
    return Array.from(counts, ([language, files]) => ({ language, files })).sort(
      (one, other) => other.files - one.files,
    )
  }

  /** The program of a language's server, which a person has to accept. */
  async programOf(language: Language): Promise<ProgramToAccept> {
    const words = this.#slots.get(language.name)?.target.command ?? (await serverCommand(language, this.root))
    return { project: this.root, words, what: `the language server of ${language.name}` }
  }

  /** The place of a language's server; undefined before its first use. */
  slot(language: Language): ServerSlot | undefined {
    return this.#slots.get(language.name)
  }

  /** The server of a language, started if the person accepted its command. */
  async server(language: Language, ctx: Context): Promise<LanguageServer> {
    const program = await this.programOf(language)
    await this.accepted.require(program, ctx)
    const slot =
      this.#slots.get(language.name) ??
      new ServerSlot({ language, command: program.words, root: this.root, limits: this.limits }, (server) =>
        server.onPublished(() => this.onDiagnostics()),
      )
    this.#slots.set(language.name, slot)
    const server = await slot.ready()
    await this.refresh()
    return server
  }

  /** Servers of all languages of the project whose commands are accepted; asks for one if none is. */
  async servers(ctx: Context): Promise<readonly { language: Language; server: LanguageServer }[]> {
    const present = (await this.languages()).map(({ language }) => language).filter(({ command }) => command)
    const [first] = present
    if (first === undefined) {
      throw new ToolProblem(
        'unavailable',
        `Cannot ask about ${JSON.stringify(this.name)}: it has no file of a language that is known here`,
        {
          next: `Configure its language with --language 'NAME:.end=COMMAND'`,
        },
      )
    }
    const programs = await Promise.all(present.map((language) => this.programOf(language)))
    const isAccepted = await Promise.all(programs.map((program) => this.accepted.has(program)))
    const accepted = present.filter((_, at) => isAccepted[at])
    const wanted = accepted.length === 0 ? [first] : accepted
    const started = await Promise.allSettled(
      wanted.map(async (language) => ({ language, server: await this.server(language, ctx) })),
    )
    const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const [failed] = started.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    if (running.length === 0) throw failed
    return running
  }

  /** Asks the servers of all languages at once; one that fails costs its own answer, unless all of them fail. */
  async askEach<Answer>(
    ctx: Context,
    ask: (one: { readonly language: Language; readonly server: LanguageServer }) => Promise<Answer>,
  ): Promise<{ readonly answers: readonly Answer[]; readonly failures: readonly string[] }> {
    const settled = await Promise.allSettled((await this.servers(ctx)).map(ask))
    const answers = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    const other = reasons.find((reason) => !(reason instanceof ToolProblem))
    if (other !== undefined || answers.length === 0) throw other ?? reasons[0]
    return { answers, failures: reasons.map(({ message }) => message) }
  }

  /** Servers that run now. */
  running(): readonly { language: Language; server: LanguageServer }[] {
    return [...this.#slots.values()].flatMap(({ running, target: { language } }) =>
      running ? [{ language, server: running }] : [],
    )
  }

  /** Tells the running servers which files changed on the disk; returns whether any did. */
  async refresh(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    await this.#looking
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#slots.values()].map((slot) => slot.stop()))
  }

  async #look(): Promise<void> {
    const changes = await this.files.look()
    for (const { language, server } of this.running()) {
      const told = changes.filter(({ path }) => languageOf(this.#languages, path)?.name === language.name)
      if (told.length > 0) {
        const events = told.map(({ path, type }) => ({ uri: fileUri(path), type }))
        server.notify('workspace/didChangeWatchedFiles', { changes: events })
      }
      for (const { path } of told) if (server.documents.has(path)) await this.#syncAgain(server, path)
    }
  }

  async #syncAgain(server: LanguageServer, path: string): Promise<void> {
    const file = await readTextFile(this.allowed, path, this.limits.maxFileBytes).catch(() => undefined)
    if (file) server.sync(path, file.text)
    else server.documents.close(path)
  }
}

/** Opens a file of a language, if none is open: some servers know a project only by an open file of it. */
export async function openAny(project: Project, language: Language, server: LanguageServer): Promise<void> {
  if (server.documents.paths.length > 0) return
  const paths = await project.files.paths(language)
  const [path] = [...paths].sort((one, other) => one.split(sep).length - other.split(sep).length)
  if (path === undefined) return
  const file = await readTextFile(project.allowed, path, project.limits.maxFileBytes).catch(() => undefined)
  if (file) server.sync(file.path, file.text)
}

/** The JSON of a file in a folder; undefined if there is none. */
export async function jsonFile(folder: string, name: string): Promise<Record<string, unknown> | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, name), 'utf8'))
  } catch {
    return undefined
  }
}
