import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isTable, keyOf, type Path } from '../../config/document/document.ts'
import { readJson } from '../../config/document/json.ts'
import type { ConfigProblem } from '../../config/problem.ts'
import { choice, listOf, mapOf, type Of, table, textValue, whole } from '../../config/schema/shape.ts'

const hash = textValue({
  matches: /^[0-9a-f]{64}$/,
  problem: 'is no hash',
  fix: 'run "trunkline lock" to write it anew',
})
const lockedTool = table({
  class: { says: 'What the tool does, as a person decided.', shape: choice('reads', 'writes', 'destroys', 'unknown') },
  hash: { says: 'The hash of the accepted definition.', shape: hash },
})
const lockedOther = table({ hash: { says: 'The hash of the accepted definition.', shape: hash } })

const lockedServer = table({
  command: { says: 'The program and its arguments, as they are written.', shape: listOf(textValue()) },
  cwd: { says: 'The directory it is started in.', shape: textValue() },
  environment: { says: 'The names of the variables it is given.', shape: listOf(textValue()) },
  url: { says: 'The address, as it is written.', shape: textValue() },
  headers: { says: 'The names of the headers that are sent there.', shape: listOf(textValue()) },
  program: { says: 'The package that is run, at the version that was accepted.', shape: textValue() },
  integrity: {
    says: 'The digest of that package, as the registry gives it; locks of earlier versions have none.',
    shape: textValue(),
  },
  tools: { says: 'Every accepted tool.', shape: mapOf(lockedTool) },
  prompts: { says: 'Every accepted prompt.', shape: mapOf(lockedOther) },
  templates: { says: 'Every accepted resource template.', shape: mapOf(lockedOther) },
  instructions: { says: 'What the server says to models, as it was accepted.', shape: mapOf(lockedOther) },
  skills: { says: 'Every accepted skill, by the address of its SKILL.md.', shape: mapOf(lockedOther) },
})

const lockfileShape = table({
  version: { says: 'The version of this format.', shape: whole(1, 1) },
  servers: { says: 'Every accepted server of this layer.', shape: mapOf(lockedServer) },
})

/** The accepted state of one server. */
export type LockedServer = Of<typeof lockedServer>

/** The accepted state of the servers of one layer; it lies beside the layer's file. */
export interface Lockfile {
  readonly file: string
  /** Empty when the file is broken: then nothing is known, and nothing is trusted. */
  readonly servers: { readonly [name: string]: LockedServer }
  readonly problems: readonly ConfigProblem[]
  /** True if there is such a file. */
  readonly exists: boolean
  lineOf(path: Path): number
}

/** The lock that lies beside a configuration file. */
export function lockPathOf(configFile: string): string {
  return join(dirname(configFile), 'trunkline.lock')
}

/** Reads a lock; one mistake is enough for none of it to count. */
export function parseLockfile(file: string, text: string): Lockfile {
  const document = readJson(file, text)
  const problems = [...document.problems]
  // errors after the first in the text are mostly its echo
  if (problems.length === 0) {
    lockfileShape.check(document.value, [], ({ at, problem, fix }) =>
      problems.push({ file, line: document.lineOf(at), key: keyOf(at), problem, fix }),
    )
  }
  const { servers } = isTable(document.value) ? document.value : {}
  const isWhole = problems.length === 0 && isTable(servers)
  return {
    file,
    servers: isWhole ? (servers as Lockfile['servers']) : {},
    problems: problems.map((one) => ({ ...one, fix: `${one.fix}; until then nothing in it counts` })),
    exists: text.trim() !== '',
    lineOf: document.lineOf,
  }
}

/** Reads the lock at a path; where there is none, nothing is locked. */
export async function readLockfile(file: string): Promise<Lockfile> {
  try {
    return parseLockfile(file, await readFile(file, 'utf8'))
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const none = parseLockfile(file, '')
    if (code === 'ENOENT' || code === 'ENOTDIR') return none
    const fix = 'make it readable for you; until then nothing in it counts'
    return { ...none, exists: true, problems: [{ file, line: 1, key: '', problem: `cannot be read (${code})`, fix }] }
  }
}
