import { realpathSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { McpError } from '../../../wire/errors.ts'
import type {
  OpenSkillFolder,
  ServedFile,
  SkillCatalogue,
  SkillSource,
  SkillSourceOptions,
} from '../server/skill-source.ts'
import { catalogueOf, emptyCatalogue } from './catalogue.ts'
import { FolderWatchers } from './folder-watchers.ts'
import { digestOf, type HashedFile } from './hashed-file.ts'
import { readRegularFile } from './read-file.ts'
import { scanSkillFolder } from './scan-folder.ts'

const settleMs = 50

/** Opens a directory of skills. */
export const openSkillFolder: OpenSkillFolder = (path, options) => new SkillFolder(resolved(path), options)

/** A directory that holds skills, and what is known of them. */
class SkillFolder implements SkillSource {
  readonly #root: string
  readonly #options: SkillSourceOptions
  readonly #watchers: FolderWatchers
  #hashed: ReadonlyMap<string, HashedFile> = new Map()
  #problems: ReadonlySet<string> = new Set()
  #now: SkillCatalogue = emptyCatalogue
  #scan: Promise<SkillCatalogue> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #hasWarned = false

  constructor(root: string, options: SkillSourceOptions) {
    this.#root = root
    this.#options = options
    this.#watchers = new FolderWatchers(
      () => this.#outdated(),
      (error) => this.#unwatched(error),
    )
  }

  start(): void {
    void this.catalogue().catch((error) => this.#options.warn(this.#failure(error)))
  }

  catalogue(): Promise<SkillCatalogue> {
    // a server that was closed can be asked again, and is told what there was
    if (this.#isClosed) return Promise.resolve(this.#now)
    this.#scan ??= this.#rescan()
    return this.#scan
  }

  async read(uri: string): Promise<{ readonly file: ServedFile; readonly bytes: Uint8Array } | undefined> {
    const { maxBytesPerSkill } = this.#options.limits
    for (const isLast of [false, true]) {
      const scan = this.catalogue()
      const file = (await scan).files.get(uri)
      if (file === undefined) return undefined
      const bytes = await readRegularFile(file.path, maxBytesPerSkill).then(
        (read) => read.bytes,
        () => undefined,
      )
      // what is served is always what is listed
      if (bytes !== undefined && digestOf(bytes) === file.digest) return { file, bytes }
      if (!isLast && this.#scan === scan) this.#scan = this.#rescan()
    }
    throw new McpError('Unsupported', `Cannot read "${uri}": the file keeps changing`)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#watchers.close()
  }

  #outdated(): void {
    if (this.#isClosed) return
    // files are seldom written in one go
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#scan = this.#rescan()
      this.#scan.catch((error) => this.#options.warn(this.#failure(error)))
    }, settleMs).unref()
  }

  async #rescan(): Promise<SkillCatalogue> {
    const isFirst = this.#scan === undefined
    await this.#scan?.catch(() => {})
    const before = this.#now
    const { limits, watch } = this.#options
    const entered = new Set<string>()
    const entering = (path: string): void => {
      entered.add(path)
      if (watch && !this.#isClosed) this.#watchers.add(path)
    }
    const { skills, hashed, problems } = await scanSkillFolder(this.#root, { limits, known: this.#hashed, entering })
    this.#watchers.keep(this.#isClosed ? new Set() : entered)
    this.#hashed = hashed
    this.#now = catalogueOf(skills)
    this.#report([
      ...problems,
      ...skills.flatMap(({ names, problem }) =>
        problem ? [`Skill "${names.join('/')}" is not served: ${problem}`] : [],
      ),
    ])
    if (!isFirst && !this.#isClosed) this.#options.changed(before, this.#now)
    return this.#now
  }

  /** Each problem is told once, for as long as it lasts. */
  #report(problems: readonly string[]): void {
    for (const problem of problems) if (!this.#problems.has(problem)) this.#options.warn(problem)
    this.#problems = new Set(problems)
  }

  #unwatched(error: Error): void {
    if (this.#hasWarned) return
    this.#hasWarned = true
    this.#options.warn(`Changes of skills in "${this.#root}" may go unnoticed: ${error.message}`)
  }

  #failure(error: unknown): string {
    return `Cannot look for skills in "${this.#root}": ${error instanceof Error ? error.message : String(error)}`
  }
}

/** The directory itself, so that a later look can tell when something leads out of it. */
function resolved(path: string | URL): string {
  const shown = path instanceof URL ? path.href : path
  try {
    const real = realpathSync(path instanceof URL ? fileURLToPath(path) : path)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    throw new McpError('Misuse', `Cannot serve skills from "${shown}": ${(error as Error).message}`)
  }
  throw new McpError('Misuse', `Cannot serve skills from "${shown}": it is not a directory`)
}
