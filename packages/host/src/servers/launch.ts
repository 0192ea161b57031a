import { createHash } from 'node:crypto'
import { showWords } from '@trunkline/base/show-words'
import { canonicalJson, type NetworkOptions } from '@trunkline/mcp'
import type { SandboxSettings } from './sandbox/settings.ts'

/** A program to start, exactly as it was accepted; no shell is involved. */
export interface ProgramLaunch {
  readonly kind: 'program'
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The variables that were configured for it. */
  readonly env: { readonly [name: string]: string }
  /** Variables that every program gets besides; nothing else of the host's own is added. @default none */
  readonly base?: { readonly [name: string]: string }
  /** Confinement. @default none: it may do whatever its user may */
  readonly sandbox?: SandboxSettings
  /** True if the person writes the program, so that changes to its files need no acceptance. @default false */
  readonly mine?: boolean
}

/** A server that runs elsewhere. */
export interface RemoteLaunch {
  readonly kind: 'remote'
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** Configured settings of the sign-in there; the rest is discovered. */
  readonly oauth?: OAuthSettings
  /** The proxy and the certificates to trust. @default those of the environment */
  readonly network?: NetworkOptions
}

/** The person's settings for signing in to a server. */
export interface OAuthSettings {
  /** The client that the authorization server knows. @default registers itself */
  readonly clientId?: string
  readonly clientSecret?: string
  /** @default what the server asks for */
  readonly scopes?: readonly string[]
  /** The resource to ask tokens for. @default what the server says, else its address */
  readonly resource?: string
  /** The port that the browser comes back to. @default a free one */
  readonly callbackPort?: number
}

/** Launch of a server: a program or a remote address. */
export type Launch = ProgramLaunch | RemoteLaunch

/**
 * Hash of what a person accepts with a server: the exact command, its arguments, directory, sandbox, the names of its
 * variables and whether it is theirs, or the address and the names of its headers. Values of variables and headers are
 * secrets and may change.
 */
export function commandHash(launch: Launch): string {
  const accepted =
    launch.kind === 'program'
      ? { ...commandOf(launch), ...(launch.sandbox && { sandbox: launch.sandbox }), ...(launch.mine && { mine: true }) }
      : { url: launch.url, headers: Object.keys(launch.headers).sort() }
  return createHash('sha256').update(canonicalJson(accepted)).digest('hex')
}

function commandOf({ command, args, cwd, env }: ProgramLaunch) {
  return { command, args, cwd, env: Object.keys(env).sort() }
}

/** The command or address in full, for a person. */
export function showLaunch(launch: Launch): string {
  return launch.kind === 'program' ? showWords([launch.command, ...launch.args]) : launch.url
}
