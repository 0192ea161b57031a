import type { Fields } from '@trunkline/mcp'
import type { ServerKey } from './server-key.ts'
import type { ServerName } from './server-name.ts'

/** One program of the person this host serves: an editor, the chat, the command. Its token is its identity. */
export interface Principal {
  /** Never changes and is never reused. */
  readonly id: string
  /** The person's name for it, such as `claude-code`. */
  readonly name: string
  /** True if a person sits in front of it, so that an answer given there counts. */
  readonly isApprover: boolean
  /** Reason why nothing is done for it yet; undefined once a person accepted the program that starts it. */
  readonly waits?: string
}

/** Kind of an act. */
export type ActKind =
  | 'call'
  | 'read'
  | 'skill'
  | 'prompt'
  | 'complete'
  | 'list'
  | 'watch'
  | 'signal'
  | 'sample'
  | 'elicit'
  | 'start'
  | 'accept'

/** Harm that a tool can do, as the person who accepted its server decided. */
export type ToolClass = 'reads' | 'writes' | 'destroys' | 'unknown'

/** A request to do something: policy judges it, limits count it, the ledger records it, the inbox holds it. */
export interface Act {
  readonly id: string
  readonly kind: ActKind
  readonly principal: Principal
  /** The directory the principal works in, where it has one. */
  readonly project: string | undefined
  /** The projects that the processes of the caller work in, as the system tells; their denials count as well. */
  readonly workingIn?: readonly string[]
  /** Folder that the caller names for the act, if it names one. */
  readonly folder?: string
  /** The server it is about, by its configured name. */
  readonly server: ServerName
  /** The same server by its key, under which all is kept that the host knows of it. */
  readonly serverKey: ServerKey
  /** The tool or prompt by the server's own name; the address of a resource, or of the `SKILL.md` of a skill. */
  readonly target: string
  readonly arguments: Fields
  /** Hash of the accepted definition; missing for acts without one. */
  readonly definition: string | undefined
  readonly class: ToolClass
  /** Effects that the tool declares; they can only tighten a verdict. */
  readonly effects: readonly string[]
  /** Set if the caller itself answers the request of a server. */
  readonly answeredBy?: 'caller'
  /** W3C trace id, the same on every hop. */
  readonly trace: string
  /** Time of arrival, as in `Date.now()`. */
  readonly at: number
}
