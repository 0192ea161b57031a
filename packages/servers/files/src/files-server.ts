import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { type Server, server } from '@trunkline/mcp'
import { liesIn, pathOfUri, realFolders } from '@trunkline/server-kit/folders'
import { ToolProblem } from '@trunkline/server-kit/tool-problem'
import { type FilesLimits, filesLimits } from './files-limits.ts'
import { offerMoving } from './moving-tools.ts'
import { offerReading } from './reading-tools.ts'
import { fileTemplate, offerResources } from './resources.ts'
import { uriOf } from './setup.ts'
import { PathWatch } from './watch-paths.ts'
import { offerWriting } from './writing-tools.ts'

/** Options of the file server. */
export interface FilesServerOptions {
  /** At least one; nothing outside of them is read or written. */
  readonly directories: readonly string[]
  /** True to refuse all writes. @default false */
  readonly readOnly?: boolean
  /** Limits of one call. */
  readonly limits?: Partial<FilesLimits>
  /** Interval between looks at watched files. @default 500 */
  readonly lookEveryMs?: number
}

/** A server for directories: their files as resources, and tools to read, search, write and edit them. */
export async function filesServer(options: FilesServerOptions): Promise<Server> {
  const { directories, readOnly = false, lookEveryMs = 500 } = options
  if (directories.length === 0) throw new Error('Cannot serve files: name at least one directory')
  const setup = { folders: await realFolders(directories), limits: { ...filesLimits, ...options.limits } }
  const watch = new PathWatch((path) => files.resources.updated(uriOf(path)), {
    everyMs: lookEveryMs,
    maxPaths: setup.limits.maxWatchedFiles,
  })
  const files = server({
    name: 'trunkline-files',
    version: '0.1.0',
    title: 'Files',
    instructions: instructionsFor(setup.folders, readOnly),
    // requests for the roots of a client do not outlive this process
    keys: [randomBytes(32)],
    onError: (error, what) => {
      if (!(error instanceof ToolProblem)) console.error(what, error)
    },
    onWatch: (uris) => startWatch(watch, setup.folders, uris),
  })
  offerResources(files, setup)
  offerReading(files, setup)
  if (!readOnly) {
    offerWriting(files, setup)
    offerMoving(files, setup)
  }
  return files
}

function startWatch(watch: PathWatch, folders: readonly string[], uris: readonly string[]): () => void {
  const paths = uris
    .flatMap((uri) => pathOfUri(uri) ?? [])
    .filter((path) => folders.some((folder) => liesIn(folder, path)))
  const stops = paths.map((path) => watch.add(path.length > 1 ? path.replace(/[\\/]$/, '') : path))
  return () => {
    for (const stop of stops) stop()
  }
}

function instructionsFor(folders: readonly string[], readOnly: boolean): string {
  const names = folders.map((folder) => `${basename(folder)} (${folder})`).join(', ')
  const may = readOnly ? 'They can only be read.' : 'To change a file, read it first and pass its hash along.'
  return `Serves the files in ${names}. Relative paths begin in ${folders[0]}. ${may} Addresses are ${fileTemplate}.`
}
