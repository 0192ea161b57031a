import { canonicalJson } from '@trunkline/mcp'
import { keyOf } from '../config/document/document.ts'
import type { Permits, Permitted } from '../config/layers/permits.ts'
import { maskSecrets } from '../config/secrets/mask.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { hashOf } from '../text/json-hash.ts'

/** Time that a file may wait to be accepted; it is asked about again when the host starts. */
const openMs = 30 * 24 * 3_600_000

/** A file of a project that would permit something. */
export interface UnacceptedFile {
  readonly project: string | undefined
  readonly permits: Permits
  /** The last acceptance of it. */
  readonly last: Permits | undefined
}

/** Asks if the permits of a project's file may count, as a diff to the accepted ones; true if they may. */
export async function askToAcceptFile(inbox: Inbox, { project, permits, last }: UnacceptedFile): Promise<boolean> {
  const key = fileQuestionKey(permits)
  if (inbox.wasRefused(key)) return false
  const { settled } = await inbox.ask({
    kind: 'file',
    key,
    server: 'trunkline',
    target: permits.file,
    principal: 'configuration',
    principalId: 'configuration',
    project,
    why: last ? 'it permits something else than what was accepted of it' : 'a project may only tighten until then',
    detail: { file: permits.file, hash: permits.hash, changes: permitsDiff(last?.settings ?? [], permits.settings) },
    by: 'local',
    openMs,
  })
  const settlement = await settled
  return settlement.state === 'answered' && settlement.answer.choice !== 'refuse'
}

/** The key of the question whether exactly this may count. */
export function fileQuestionKey({ file, hash }: Permits): string {
  return hashOf(['file', file, hash])
}

/** Withdraws questions about files that permit something else by now. */
export async function withdrawFileQuestions(inbox: Inbox, waiting: readonly Permits[]): Promise<void> {
  const wanted = new Set(waiting.map(fileQuestionKey))
  const stale = inbox.open.filter(({ kind, key }) => kind === 'file' && !wanted.has(key))
  await Promise.all(stale.map(({ id }) => inbox.withdraw(id, 'the file permits something else by now')))
}

/** Diff of a file's permits and the accepted ones, one line for each setting. */
export function permitsDiff(before: readonly Permitted[], after: readonly Permitted[]): readonly string[] {
  const lineOf = ({ path, value }: Permitted) => `${keyOf(path)} = ${canonicalJson(maskSecrets(path, value))}`
  const old = new Set(before.map(lineOf))
  const now = new Set(after.map(lineOf))
  return [
    ...[...old].filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...[...now].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ]
}
