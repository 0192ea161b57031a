import { ApiError } from './api-error.ts'
import type { RouteContext } from './route.ts'

/** Refuses a decision that no person makes. Every route that needs a person passes here, before its handler. */
export async function requirePerson(context: RouteContext): Promise<void> {
  const refusal = await whyNoPerson(context)
  if (refusal !== undefined) throw new ApiError(403, refusal)
}

/** Reason why the process at the other end of the connection may not decide; undefined if it may. */
export async function whyNoPerson({ connections, socket, isPage }: RouteContext): Promise<string | undefined> {
  const found = await connections.noPersonAt(socket)
  if (!found) return undefined
  if (found.is === 'caller') {
    const { name, pid } = found
    return `Only a person can decide this, and "${name}" (process ${pid}) started it, which calls tools of this host`
  }
  if (found.is === 'server') return 'Only a person can decide this, and a server of this host started it'
  // browsers may hide their processes, and the secret of a page came from a person
  return isPage ? undefined : 'Only a person can decide this, and the process that asks cannot be seen'
}

/** Refuses a process without a terminal. */
export async function requireTerminal({ connections, socket }: RouteContext): Promise<void> {
  if (await connections.hasTerminalAt(socket)) return
  throw new ApiError(403, 'Codes are for people at a terminal: run "trunkline open" in one')
}
