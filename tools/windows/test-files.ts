import { testFilesAt } from '../run-tests.ts'

/** Test files, or folders of them, that run under Wine; those of one line share a process. */
const groups: readonly (readonly string[])[] = [
  // the built command and its host
  ['packages/cli/test/windows'],
  // programs, pipes and process trees
  ['packages/mcp/src/transports/stdio/windows-programs.test.ts', 'packages/mcp/src/transports/stdio/server.test.ts'],
  // HTTP, stores, locks, files that are open elsewhere
  [
    'packages/base/src',
    'packages/host/src/policy/windows-files.test.ts',
    'packages/host/src/store',
    'packages/mcp/src/stores',
    'packages/mcp/src/auth/node/file-secrets.test.ts',
    'packages/mcp/src/transports/http/node',
    'packages/mcp/src/transports/http/client/probe.test.ts',
  ],
]

/** Folders whose other test files do not run under Wine, each with the reason. */
export const notRun: { readonly [folder: string]: string } = {
  bench: 'measures peers on Linux',
  tools: 'tools of the repository, which run on Linux',
  examples: 'run by a step of their own, on Linux',
  'packages/authoring': 'projects and programs with POSIX shells; "wrap" runs in packages/cli/test/windows',
  'packages/cli/src': 'texts and tables, the same on every system',
  'packages/cli/test': 'lines that sh, setsid or tmux start; packages/cli/test/windows has those of Windows',
  'packages/console': 'needs a browser',
  'packages/host/src': 'writes POSIX paths, modes and pipes; rules of Windows are tested there on Linux',
  'packages/host/test': 'hosts in POSIX homes; packages/cli/test/windows has one of Windows',
  'packages/mcp/src': 'messages, schemas and dialects, the same on every system',
  'packages/mcp/src/transports/stdio':
    'shells, signals and groups; windows-programs.test.ts has what Windows has instead',
  'packages/mcp/test': 'the same code between two ends, on every transport',
  'packages/servers': 'links, pipes and modes of POSIX; the built server of files runs in packages/cli/test/windows',
  'packages/stores': 'needs PostgreSQL or Redis',
}

/** Tests of the files that run which Wine cannot run, each with the reason; Windows can. */
export const beyondWine: { readonly [test: string]: string } = {
  'serveStdio: reads on while its answers are not taken': 'pipes of Wine take 200 000 messages too slowly',
  'rules about paths: a junction leads where it leads': 'Wine makes no junctions: ENOTSUP',
}

/** Differences between Wine and Windows, each with what stands in for it here. */
export const wineFaults: readonly string[] = [
  'sockets with keep-alive cannot connect: wine-faults.cjs leaves keep-alive out',
  'the final name of a path of more than 260 characters is not told: wine-faults.cjs looks at its parts instead',
  'taskkill knows no /T: the leader alone is ended, and Node ends its children with itself',
  'links of Linux are not seen as links, and modes of files are not kept: tests of them are skipped',
  'Node 24 does not start: Node 22 runs sources whose "using" was compiled away',
]

/** Groups of test files that run under Wine. */
export function windowsTests(): readonly (readonly string[])[] {
  return groups.map((paths) => testFilesAt(paths))
}

/** Reason why a test file does not run under Wine: that of the innermost folder with one; undefined if it has none. */
export function whyNotRun(file: string): string | undefined {
  const folders = Object.keys(notRun).filter((folder) => file.startsWith(`${folder}/`))
  const [innermost] = folders.sort((one, other) => other.length - one.length)
  return innermost === undefined ? undefined : notRun[innermost]
}
