import type { Launch } from '../launch.ts'
import { managers } from './managers.ts'
import { packageCommand } from './package-command.ts'
import { ManagerError } from './run-manager.ts'

/** A package that a registry does not give out, whatever a person accepts. */
export interface MissingPackage {
  readonly cause: 'no package' | 'TLS'
  /** The reason, in one sentence that names the package. */
  readonly line: string
}

/** Reason why a package could not be fetched, in the same words for every manager if the cause is known. */
export function fetchProblem(error: unknown): string {
  const found = knownCause(error)
  if (found === 'no package') return 'the registry has no such package'
  if (found === 'TLS') return `${unknownAuthority}; ${authorityFix}`
  return error instanceof Error ? error.message : String(error)
}

/**
 * Asks the registry for the package of a launch, and runs nothing of it. Undefined when there is one, when the launch
 * fetches none, and when the registry does not answer in time.
 */
export async function missingPackage(launch: Launch, timeoutMs: number): Promise<MissingPackage | undefined> {
  // on Windows package managers are scripts that only a shell can start
  if (launch.kind !== 'program' || process.platform === 'win32') return undefined
  const { command, args, cwd, base } = launch
  const found = packageCommand(command, args, cwd)
  if (!found) return undefined
  const environment = { ...process.env, ...(base?.PATH !== undefined && { PATH: base.PATH }) }
  try {
    await managers[found.manager].available(found, { cwd, environment, timeoutMs })
    return undefined
  } catch (error) {
    const cause = knownCause(error)
    return cause && { cause, line: `Cannot install "${found.wanted}": ${fetchProblem(error)}` }
  }
}

function knownCause(error: unknown): MissingPackage['cause'] | undefined {
  if (!(error instanceof ManagerError)) return undefined
  if (isMissing.test(error.output)) return 'no package'
  return isUntrusted.test(error.output) ? 'TLS' : undefined
}

const isMissing = /\bE404\b|was not found in the package registry/
const isUntrusted = /SELF_SIGNED_CERT|UNABLE_TO_(?:VERIFY|GET_ISSUER)|invalid peer certificate|UnknownIssuer/

const unknownAuthority = 'the certificate of the registry is signed by an authority that is not known here'
const authorityFix =
  'set NODE_EXTRA_CA_CERTS (SSL_CERT_FILE for Python) to the file of that authority, then run "trunkline down" and "trunkline up"'
