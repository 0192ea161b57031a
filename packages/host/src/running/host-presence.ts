import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Host } from '../assembly/host.ts'
import type { Places } from '../config/places.ts'
import { answerIdentity } from './host-identity.ts'
import { forgetRunning, type HostSecrets, noteRunning } from './running-file.ts'
import { StateWatch } from './state-watch.ts'

export interface PresenceOptions {
  readonly places: Places
  /** Interval of the check, in milliseconds. @default 1_000 */
  readonly everyMs?: number | undefined
  /** The state was deleted or replaced while the host ran. */
  onStateGone(): void
  onError?(error: unknown, what: string): void
}

const defaults = { everyMs: 1_000 } as const satisfies Partial<PresenceOptions>

/**
 * Lets commands and clients find a running host: by files with its address and secrets, and by the proof that it holds
 * these. Without the files it could neither be found nor ended, so they are watched.
 */
export class HostPresence {
  readonly secrets: HostSecrets
  readonly #options: PresenceOptions
  #watch: StateWatch | undefined

  constructor(options: PresenceOptions) {
    const [api = '', lines = ''] = [1, 2].map(() => randomBytes(32).toString('base64url'))
    this.secrets = { api, lines }
    this.#options = options
  }

  /** Writes the files of a host that listens, and watches them from then on. */
  async begin({ url, store }: Pick<Host, 'url' | 'store'>): Promise<void> {
    const { places, everyMs = defaults.everyMs, onStateGone, onError } = this.#options
    const note = () => noteRunning(places, new URL('/', url).href, this.secrets)
    await note()
    this.#watch = new StateWatch({
      ...{ store, places, everyMs, onGone: onStateGone },
      onUnlisted: () => note().catch((error: unknown) => onError?.(error, 'state')),
    })
  }

  /** Answers a request for the proof; false for any other request. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    return answerIdentity(request, response, Object.values(this.secrets))
  }

  async end(): Promise<void> {
    this.#watch?.[Symbol.dispose]()
    await forgetRunning(this.#options.places)
  }
}
