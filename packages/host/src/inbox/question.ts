import type { Fields } from '@trunkline/mcp'
import type { ServerName } from '../act/server-name.ts'
import type { Coverage } from './coverage.ts'

/** Everything a person can be asked. */
export type QuestionKind =
  | 'call' // may this call run
  | 'result' // may this result pass
  | 'form' // fill in what a server asks for
  | 'page' // visit a page for a server
  | 'prompt' // look over what goes to a model
  | 'definition' // accept a changed or new definition
  | 'start' // may this program be started
  | 'client' // may this program use the name of a client
  | 'file' // may what a project's file permits count
  | 'programs' // are these the servers and clients that an earlier version accepted
  | 'sign-in' // sign in to a server

/** A question to a person. */
export interface Question {
  readonly id: string
  readonly kind: QuestionKind
  /** Equal questions share this: one answer is for all of them. */
  readonly key: string
  readonly server: ServerName
  /** The tool, prompt or address it is about. */
  readonly target: string
  /** Name of the principal that wants it. */
  readonly principal: string
  readonly principalId: string
  readonly project: string | undefined
  /** Reason of the question, for a person. */
  readonly why: string
  /** Details: arguments, a form, a diff; the shape depends on the kind. */
  readonly detail: Fields
  /** `local`: no caller may answer this. */
  readonly by: 'local' | undefined
  /** Time as in `Date.now()`. */
  readonly askedAt: number
  /** Time from which it cannot be answered any more. */
  readonly expiresAt: number
}

/** Answer of a person. */
export interface Answer {
  /**
   * `once`: this very act; `session`: the tool for a while; `project`: the tool in this project until it is revoked;
   * `always`: by a rule; `refuse`: not at all.
   */
  readonly choice: 'once' | 'session' | 'project' | 'always' | 'refuse'
  /** Further tools and clients that the person chose to cover. @default the tool and the client that it was asked for */
  readonly covers?: Coverage
  /** With `always`: narrows its rule to these very arguments, or ends it at a time. @default the tool, for ever */
  readonly rule?: { readonly isExact?: boolean | undefined; readonly until?: number | undefined }
  /** Content that replaces the one asked about: edited arguments, a filled form, an edited text. */
  readonly content?: Fields
  /** A sentence for the caller. */
  readonly sentence?: string
  /** Through which door, for people: `console`, `terminal`, `claude-code`. */
  readonly by: string
}

/** End of a question. */
export type Settlement =
  | {
      readonly state: 'answered'
      readonly answer: Answer
      readonly at: number /** At this machine. */
      readonly isLocal: boolean
    }
  | { readonly state: 'expired' | 'withdrawn'; readonly why: string; readonly at: number }

/** A way to reach a person. */
export interface Door {
  readonly name: string
  /** True if it stands on this machine, so that it may answer questions marked `local`. */
  readonly isLocal: boolean
  present(question: Question): void
  /** Its caller does not wait any more, or has come back. */
  change?(question: Question): void
  /** The question was answered elsewhere, expired or is not needed any more. */
  withdraw(id: string, by: string): void
}
