import type { Fields } from '@trunkline/mcp'
import type { ToolClass } from '../catalogue/entry.ts'
import type { ServerName } from '../config/server-name.ts'
import type { ServerKey } from '../servers/server-key.ts'

/** One program of the person this host serves: an editor, the chat, the command. Its token is its identity. */
export interface Principal {
  /** Never changes and is never reused. */
  readonly id: string
  /** What the person calls it, such as `claude-code`. */
  readonly name: string
  /** Whether a person sits in front of it, so that an answer given there counts. */
  readonly isApprover: boolean
  /** Why nothing is done for it yet; undefined once a person accepted the program that starts it. */
  readonly waits?: string
}

/** What kind of thing somebody wants done. */
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

/** Whatever somebody wants done: policy judges it, limits count it, the ledger records it, the inbox holds it. */
export interface Act {
  readonly id: string
  readonly kind: ActKind
  readonly principal: Principal
  /** The directory the principal works in, where it has one. */
  readonly project: string | undefined
  /** The projects that the processes of the caller work in, as the system tells; their denials count as well. */
  readonly workingIn?: readonly string[]
  /** The folder that the caller wants it done in, where it names one. */
  readonly folder?: string
  /** The server it is about, by its configured name. */
  readonly server: ServerName
  /** The same server by its key, under which all is kept that the host knows of it. */
  readonly serverKey: ServerKey
  /** The tool or prompt by the server's own name; the address of a resource, or of the `SKILL.md` of a skill. */
  readonly target: string
  readonly arguments: Fields
  /** The definition the person accepted, as its hash; missing for what has none. */
  readonly definition: string | undefined
  readonly class: ToolClass
  /** What the tool declares that it touches; this can only tighten a verdict. */
  readonly effects: readonly string[]
  /** Set where the caller answers itself what a server asks. */
  readonly answeredBy?: 'caller'
  /** W3C trace id, the same on every hop. */
  readonly trace: string
  /** When it arrived, as in `Date.now()`. */
  readonly at: number
}
