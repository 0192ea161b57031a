import type { Act } from '../act/act.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'

/** Rule for data that may leave unasked: `strict` is the wide form, `off` asks nothing. */
export type TaintMode = 'default' | 'strict' | 'off'

/** Mark of a server's data; a server without one is neither private nor untrusted. */
export type DataMark = 'private' | 'untrusted'

/** Facts about a server that tell whether data can leave through it. */
export interface Outlet {
  readonly mark: DataMark | undefined
  /** True if it runs on another machine. */
  readonly isRemote: boolean
  /** True if the accepted definition of the tool says that it reaches beyond its server. */
  readonly isOpenWorld: boolean
}

/** A server that a principal has read from. */
export interface TaintSource {
  readonly server: ServerKey
  /** Its mark when it was read. */
  readonly data: DataMark | 'unmarked'
  readonly at: number
}

/** Reason why an act is asked about whatever the rules say: data its principal has read could leave with it. */
export interface Taint {
  /** The servers that no person was asked about for this target yet. */
  readonly sources: readonly string[]
  readonly why: string
}

/**
 * True if data can leave with an act. One that may change something can always take them along; one that only reads can
 * if its arguments reach another party.
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
