import {
  type ApiClient,
  ApiRefusal,
  apiClient,
  findPlaces,
  findRunning,
  type RunningAt,
  thisMachine,
} from '@trunkline/host/api'
import { type ExitCode, exitCodes } from '../failure/exit-codes.ts'
import { Failure } from '../failure/failure.ts'

/** The running host of this person, and its API. */
export interface HostLink extends ApiClient {
  readonly running: RunningAt
  /** Asks for the PIN, so that the host takes decisions of this process for a while. */
  enterPin(): Promise<void>
}

/** Finds the running host; fails with what to type when there is none. */
export async function openHost(): Promise<HostLink> {
  const host = await findHost()
  if (host) return host
  throw new Failure('No host runs', { code: 'NoHost', exit: exitCodes.unreachable, hint: 'Start it: trunkline up' })
}

/** The running host, if there is one. */
export async function findHost(): Promise<HostLink | undefined> {
  const running = await findRunning(findPlaces(thisMachine()))
  if (!running) return undefined
  const api = apiClient({ ...running, project: process.cwd() })
  return {
    running,
    events: (signal, onOpen) => api.events(signal, onOpen),
    enterPin: () => enterPinOf(api).catch(rethrowExplained),
    call: (name, input) =>
      api.call(name, input).catch(async (error: unknown) => {
        if (!(error instanceof ApiRefusal) || error.proof?.kind !== 'pin') throw explained(error)
        await enterPinOf(api).catch(rethrowExplained)
        return api.call(name, input).catch(rethrowExplained)
      }),
  }
}

const exits: { readonly [status: number]: ExitCode } = {
  400: exitCodes.usage,
  401: exitCodes.denied,
  403: exitCodes.denied,
  404: exitCodes.usage,
  409: exitCodes.denied,
  422: exitCodes.denied,
}

/** A connection that was refused, or broke. */
const isBroken = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

async function enterPinOf(api: ApiClient): Promise<void> {
  // loaded where one is needed
  const { enterPin } = await import('./enter-pin.ts')
  await enterPin(api)
}

function rethrowExplained(error: unknown): never {
  throw explained(error)
}

function explained(error: unknown): unknown {
  if (error instanceof ApiRefusal) {
    return new Failure(error.message, { code: 'Refused', exit: exits[error.status] ?? exitCodes.unreachable })
  }
  const { code } = error as { code?: string }
  if (code === undefined || !isBroken.has(code)) return error
  return new Failure('The host does not answer', {
    code: 'NoHost',
    exit: exitCodes.unreachable,
    hint: 'Start it: trunkline up',
  })
}
