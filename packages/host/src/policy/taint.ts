import type { Act } from '../act/act.ts'
import { type ServerKey, serverNameOf } from '../act/server-key.ts'

/** Rule for data that may leave unasked: `strict` is the wide form, `off` asks nothing. */
export type TaintMode = 'default' | 'strict' | 'off'

/** Mark of a server's data; a server without one is neither private nor untrusted. */
export type DataMark = 'private' | 'untrusted'

/** All marks of a server's data, in words. */
export type DataMarks = DataMark | 'private and untrusted'

/** The marks of a server, which are written as one word or as a list. */
export function marksOf(written: DataMark | readonly DataMark[] | undefined): DataMarks | undefined {
  if (typeof written !== 'object') return written
  return written.includes('private') && written.includes('untrusted') ? 'private and untrusted' : written[0]
}

/** True for data that are private, whether or not strangers may have written them. */
export function isPrivate(data: DataMarks | 'unmarked' | undefined): boolean {
  return data === 'private' || data === 'private and untrusted'
}

/** True for data that strangers may have written, whether or not they are private. */
export function isUntrusted(data: DataMarks | 'unmarked' | undefined): boolean {
  return data === 'untrusted' || data === 'private and untrusted'
}

/** Facts about a server that tell whether data can leave through it. */
export interface Outlet {
  readonly mark: DataMarks | undefined
  /** True if it runs on another machine. */
  readonly isRemote: boolean
  /** True if the accepted definition of the tool says that it reaches beyond its server. */
  readonly isOpenWorld: boolean
  /** True if all data that could leave came from this very server. */
  readonly isSource: boolean
}

/** A server that a principal has read from. */
export interface TaintSource {
  readonly server: ServerKey
  /** Its marks when it was read. */
  readonly data: DataMarks | 'unmarked'
  readonly at: number
}

/** Reason why an act is asked about whatever the rules say: data its principal has read could leave with it. */
export interface Taint {
  /** The servers that no person was asked about for this target yet. */
  readonly sources: readonly string[]
  /** True if all data that could leave came from the server of the act. */
  readonly isSource: boolean
  readonly why: string
}

/**
 * True if data can leave with an act. One that may change something can always take them along; one that only reads can
 * if its arguments reach another party.
 */
export function sendsOut({ kind, class: toolClass }: Act, { mark, isSource, ...reach }: Outlet): boolean {
  if (kind !== 'call' && kind !== 'read' && kind !== 'prompt') return false
  if (kind === 'call' && toolClass !== 'reads') return true
  if (mark === 'private') return false
  // data that return to their server do not leave, unless the tool reaches beyond it
  if (mark === 'private and untrusted' && isSource) return reach.isOpenWorld
  return isUntrusted(mark) || reach.isRemote || reach.isOpenWorld
}

/** The sources that together make an act dangerous; none when it is not. */
export function dangerous(mode: TaintMode, server: ServerKey, sources: readonly TaintSource[]): readonly TaintSource[] {
  if (mode === 'off') return []
  const kept = sources.filter(({ data }) => isPrivate(data))
  const untrusted = sources.filter(({ data }) => isUntrusted(data))
  if (mode === 'default') return kept.length > 0 && untrusted.length > 0 ? unique(kept, untrusted) : []
  const unmarked = sources.filter((source) => source.data === 'unmarked' && source.server !== server)
  return untrusted.length > 0 || unmarked.length > 0 ? unique(kept, untrusted, unmarked) : []
}

/** True if all data that could leave came from one server: the private data, and when strict all that was read. */
export function isOnlySource(mode: TaintMode, server: ServerKey, sources: readonly TaintSource[]): boolean {
  return sources.every((source) => source.server === server || (mode === 'default' && !isPrivate(source.data)))
}

function unique(...lists: readonly (readonly TaintSource[])[]): readonly TaintSource[] {
  return [...new Set(lists.flat())]
}

/** The sentence for a person. */
export function taintSentence(mode: TaintMode, principal: string, sources: readonly TaintSource[]): string {
  const named = (some: readonly TaintSource[]) =>
    [...new Set(some.map(({ server }) => `"${serverNameOf(server)}"`))].join(', ')
  const kept = named(sources.filter(({ data }) => isPrivate(data)))
  const untrusted = named(sources.filter(({ data }) => data !== 'private'))
  const read = [kept && `private data of ${kept}`, `what others may have written, from ${untrusted}`]
  return `"${principal}" has read ${read.filter(Boolean).join(', and ')}; this could send it out (policy.taint is "${mode}")`
}
