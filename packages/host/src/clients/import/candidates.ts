import type { ConfigProblem } from '../../config/problem.ts'
import type { ServerEntry } from '../../config/schema/server-entry.ts'
import type { FoundInput, FoundServer } from '../client-format.ts'
import { mapTexts } from '../references.ts'
import type { FoundFile } from './discover.ts'
import type { Origin, OriginClient, Skipped } from './import-plan.ts'
import { unwrapRemote } from './mcp-remote.ts'
import { isThisProgram } from './self.ts'

/** One entry of one file that could be taken over. */
export interface Candidate {
  readonly entry: ServerEntry
  readonly origin: Origin
  readonly project: string | undefined
  readonly ticked: boolean
}

/** Content of the files, before equal servers are joined. */
export interface Candidates {
  readonly candidates: readonly Candidate[]
  readonly inputs: readonly FoundInput[]
  readonly skipped: readonly Skipped[]
  readonly left: readonly ConfigProblem[]
}

/** Collects the entries of all files: wrapped addresses as addresses, this program left out, inputs made distinct. */
export function candidatesIn(files: readonly FoundFile[], endpoints: readonly string[]): Candidates {
  const inputs: FoundInput[] = []
  const skipped: Skipped[] = []
  const left = files.flatMap(({ reading }) => reading.left)
  const candidates = files.flatMap((file) => {
    const renamed = distinctInputs(file, inputs)
    return file.reading.servers.flatMap((server): Candidate[] => {
      const origin = { client: file.client, name: server.name, ...server.place }
      const { entry, notes } = unwrapped(server, origin)
      left.push(...notes)
      if (isThisProgram(entry, endpoints)) {
        skipped.push({ origin, why: 'it is this program' })
        return []
      }
      const project = server.project ?? file.project
      const off = isOff(files, file.client, server, project)
      const whole = { ...mapTexts(entry, renamed), ...(off && { disabled: true }) }
      return [{ entry: whole, origin, project, ticked: project === undefined }]
    })
  })
  return { candidates, inputs, skipped, left }
}

function unwrapped(
  { entry, name }: FoundServer,
  { file, line }: Origin,
): { entry: ServerEntry; notes: ConfigProblem[] } {
  const remote = unwrapRemote(entry)
  if (remote === undefined) return { entry, notes: [] }
  const notes = remote.left.map((option) => ({
    file,
    line,
    key: name,
    problem: `gives mcp-remote the option "${option}", which has no meaning here`,
    fix: 'it is left out',
  }))
  return { entry: remote.entry, notes }
}

/** True if the same client turned a server off, in this project or in all. */
function isOff(
  files: readonly FoundFile[],
  client: OriginClient,
  { name }: FoundServer,
  project: string | undefined,
): boolean {
  return files
    .filter((file) => file.client === client)
    .some((file) =>
      file.reading.off.some((one) => one.server === name && (one.project ?? file.project ?? project) === project),
    )
}

/** Renames inputs that have the same id as one of another file; the returned function changes texts that refer to them. */
function distinctInputs({ client, reading }: FoundFile, inputs: FoundInput[]): (text: string) => string {
  const names = new Map<string, string>()
  for (const input of reading.inputs) {
    // it is kept as a secret, and must be named like one
    const own = input.id.replaceAll(/[^A-Za-z0-9_.-]+/g, '-')
    const taken = inputs.find(({ id }) => id === own)
    const id = taken === undefined || taken.description === input.description ? own : `${own}-${client}`
    names.set(input.id, id)
    if (!inputs.some((one) => one.id === id)) inputs.push({ ...input, id })
  }
  return (text) => text.replaceAll(/\$\{input:([^}:]+)/g, (_, id) => `\${input:${names.get(id) ?? id}`)
}
