import { ConfigFile } from './config-file.ts'
import type { Value } from './document/document.ts'
import { readJson } from './document/json.ts'
import { type EffectiveConfig, effectiveConfig } from './effective.ts'
import { environmentDocument, flagsDocument } from './layers/environment.ts'
import { type Layer, type LayerName, readLayer } from './layers/layer.ts'
import type { Permits } from './layers/permits.ts'
import type { Machine } from './machine.ts'
import { localFile, type Places, projectFile } from './places.ts'
import { FileWatch, type WatchOptions } from './watch-files.ts'

/** Options of a configuration. */
export interface ConfigOptions extends WatchOptions {
  readonly places: Places
  readonly machine: Machine
  /** Settings of the command line, by key. */
  readonly flags?: { readonly [key: string]: Value }
  /** True if a person accepted what a project's file permits. */
  isAccepted(permits: Permits): boolean
}

/** More projects than a person has open; the one that was not asked for longest is forgotten and read again when needed. */
const maxProjects = 64

/** Changed files; listeners read the effective configuration anew. */
export interface ConfigChange {
  readonly files: readonly string[]
}

/** The configuration of a host: read, watched, and joined anew for each project when a file changes. */
export class Config implements Disposable {
  readonly #options: ConfigOptions
  readonly #files = new Map<string, Promise<ConfigFile>>()
  /** In the order of their last use; undefined when it has to be joined anew. */
  readonly #projects = new Map<string | undefined, EffectiveConfig | undefined>()
  readonly #listeners = new Set<(change: ConfigChange) => void>()
  readonly #watch: FileWatch
  #locks: readonly string[] = []
  /** Counts up whenever the layers have to be joined anew. */
  #version = 0

  constructor(options: ConfigOptions) {
    this.#options = options
    this.#watch = new FileWatch((paths) => void this.#reload(paths), options)
  }

  /** The effective configuration in a project, or outside of any. */
  async effective(project?: string): Promise<EffectiveConfig> {
    let config = this.#projects.get(project)
    while (config === undefined) {
      const version = this.#version
      const read = await this.#read(project)
      // a file that changed meanwhile is read again
      if (version === this.#version) config = read
    }
    this.#projects.delete(project)
    this.#projects.set(project, config)
    for (const oldest of this.#projects.keys()) {
      if (this.#projects.size <= maxProjects) break
      if (oldest !== undefined) this.forget(oldest)
    }
    return config
  }

  /** The effective configuration in a project if the person's own file held this text. */
  trial(text: string, project?: string): Promise<EffectiveConfig> {
    const { userFile } = this.#options.places
    return this.#read(project, readLayer('user', readJson(userFile, text)))
  }

  /** Calls a listener whenever a file has changed; the returned function stops that. */
  onChange(listener: (change: ConfigChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Has the listeners told of changes to another file as well, such as that of secrets. */
  watchAlso(path: string): Promise<void> {
    return this.#watch.add(path)
  }

  /** Has the listeners told of changes to these lock files, and to no others any more. */
  async watchLocks(paths: readonly string[]): Promise<void> {
    for (const path of this.#locks) if (!paths.includes(path)) this.#watch.remove(path)
    this.#locks = paths
    for (const path of paths) await this.#watch.add(path)
  }

  /** Number of watched files. */
  get watchedFiles(): number {
    return this.#watch.size
  }

  /** Reads a file at once; for a caller that has just written it. */
  readAgain(path: string): Promise<void> {
    return this.#reload([path])
  }

  /** Joins the layers anew; for when a person accepted a file. */
  refresh(): void {
    this.#joinAnew()
    this.#tell([])
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]()
    this.#listeners.clear()
  }

  async #read(project: string | undefined, trial?: Layer): Promise<EffectiveConfig> {
    const { machine, flags = {} } = this.#options
    const files = await Promise.all(
      this.#filesOf(project).map(async ({ name, path }) => ({ name, file: await this.#file(path) })),
    )
    const layers = [
      ...files.map(({ name, file }) => {
        if (name === 'user' && trial) return trial
        const layer = readLayer(name, file.document)
        return { ...layer, isPartial: file.isPartial, problems: [...file.problems, ...layer.problems] }
      }),
      readLayer('environment', environmentDocument(machine.environment)),
      readLayer('flags', flagsDocument(flags)),
    ]
    return effectiveConfig(layers, (permits) => this.#options.isAccepted(permits))
  }

  #filesOf(project: string | undefined): { readonly name: LayerName; readonly path: string }[] {
    const { places } = this.#options
    const user = { name: 'user' as const, path: places.userFile }
    if (project === undefined) return [user]
    return [user, { name: 'project', path: projectFile(project) }, { name: 'local', path: localFile(places, project) }]
  }

  #file(path: string): Promise<ConfigFile> {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const file = this.#open(path)
    this.#files.set(path, file)
    return file
  }

  async #open(path: string): Promise<ConfigFile> {
    const file = new ConfigFile(path)
    // watched before it is read, so that no change falls between
    await this.#watch.add(path)
    await file.load()
    return file
  }

  async #reload(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map(async (path) => (await this.#files.get(path))?.load()))
    this.#joinAnew()
    this.#tell(paths)
  }

  #joinAnew(): void {
    this.#version += 1
    for (const project of this.#projects.keys()) this.#projects.set(project, undefined)
  }

  #tell(files: readonly string[]): void {
    for (const listener of this.#listeners) listener({ files })
  }

  /** Looks no longer at the files of a project; they are read again when it is asked for. */
  forget(project: string): void {
    this.#projects.delete(project)
    for (const { name, path } of this.#filesOf(project)) {
      if (name === 'user') continue
      this.#files.delete(path)
      this.#watch.remove(path)
    }
  }
}
