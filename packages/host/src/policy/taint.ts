import type { Act } from '../acts/act.ts'
import { type ServerKey, serverNameOf } from '../servers/server-key.ts'

/** When data may leave unasked: `strict` is the wide form, `off` asks nothing. */
export type TaintMode = 'default' | 'strict' | 'off'

/** What a server's data are to the person; a server without a mark is neither. */
export type DataMark = 'private' | 'untrusted'

/** What has to be known of a server to tell whether data can leave through it. */
export interface Outlet {
  readonly mark: DataMark | undefined
  /** Whether it runs on another machine. */
  readonly isRemote: boolean
  /** Whether the accepted definition of the tool says that it reaches beyond its server. */
  readonly isOpenWorld: boolean
}

/** A server that a principal has read from. */
export interface TaintSource {
  readonly server: ServerKey
  /** As it was marked when it was read. */
  readonly data: DataMark | 'unmarked'
  readonly at: number
}

/** Why an act is asked about whatever the rules say: what its principal has read could leave with it. */
export interface Taint {
  /** The servers that nobody was asked about for this target yet. */
  readonly sources: readonly string[]
  readonly why: string
}

/**
 * Whether data can leave with an act. What may change something always can take them along; what only reads can do so
 * where its arguments reach somebody else.
 */
export function sendsOut({ kind, class: toolClass }: Act, { mark, isRemote, isOpenWorld }: Outlet): boolean {
  if (kind !== 'call' && kind !== 'read' && kind !== 'prompt') return false
  if (kind === 'call' && toolClass !== 'reads') return true
  return mark !== 'private' && (mark === 'untrusted' || isRemote || isOpenWorld)
}

/** The sources that together make an act dangerous; none when it is not. */
export function dangerous(mode: TaintMode, server: ServerKey, sources: readonly TaintSource[]): readonly TaintSource[] {
  if (mode === 'off') return []
  const kept = sources.filter(({ data }) => data === 'private')
  const untrusted = sources.filter(({ data }) => data === 'untrusted')
  if (mode === 'default') return kept.length > 0 && untrusted.length > 0 ? [...kept, ...untrusted] : []
  const unmarked = sources.filter((source) => source.data === 'unmarked' && source.server !== server)
  return untrusted.length > 0 || unmarked.length > 0 ? [...kept, ...untrusted, ...unmarked] : []
}

/** The sentence for a person. */
export function taintSentence(mode: TaintMode, principal: string, sources: readonly TaintSource[]): string {
  const named = (data: TaintSource['data']) => [
    ...new Set(sources.filter((one) => one.data === data).map(({ server }) => `"${serverNameOf(server)}"`)),
  ]
  const kept = named('private').join(', ')
  const untrusted = [...named('untrusted'), ...named('unmarked')].join(', ')
  const read = [kept && `private data of ${kept}`, `what others may have written, from ${untrusted}`]
  return `"${principal}" has read ${read.filter(Boolean).join(', and ')}; this could send it out (policy.taint is "${mode}")`
}
