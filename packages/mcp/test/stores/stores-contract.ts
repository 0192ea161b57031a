/** The promises of every store, as tests that run on any engine: each engine joins by one call. */
import { test } from 'node:test'
import type { ClusterStores, ProofIds } from '../../src/stores/cluster.ts'
import type { EffectStore } from '../../src/stores/effect-store.ts'
import type { EventStore } from '../../src/stores/event-store.ts'
import type { Limiter } from '../../src/stores/limiter.ts'
import type { SessionStore } from '../../src/stores/session-store.ts'
import type { TaskStore } from '../../src/stores/task-store.ts'
import { bellContract } from './bell-contract.ts'
import { effectStoreContract } from './effect-store-contract.ts'
import { eventStoreContract } from './event-store-contract.ts'
import { inboxContract } from './inbox-contract.ts'
import { limiterContract } from './limiter-contract.ts'
import { presenceContract } from './presence-contract.ts'
import { proofIdsContract } from './proof-ids-contract.ts'
import { sessionStoreContract } from './session-store-contract.ts'
import { taskLeaseContract } from './task-lease-contract.ts'
import { taskStoreContract } from './task-store-contract.ts'

/** Stores by which processes tell each other something. */
export type Shared = Pick<ClusterStores, 'presence' | 'inbox' | 'bell'>

/** Empty stores of one engine; one that it does not have is left out. */
export interface MadeStores {
  readonly sessions?: Required<SessionStore>
  readonly events?: Required<EventStore>
  readonly tasks?: Required<TaskStore>
  readonly effects?: Required<EffectStore>
  readonly limiter?: Limiter
  readonly proofs?: ProofIds
  readonly cluster?: Shared
}

/** An engine, and the stores that it has. */
export interface Engine<Has extends keyof MadeStores> {
  readonly name: string
  readonly has: readonly Has[]
  /** Reason for which the engine cannot be tested on this machine. @default none */
  readonly skip?: string | false
  /** Makes empty stores, once for each test. */
  make(): Made<Has> | Promise<Made<Has>>
}

type Made<Has extends keyof MadeStores> = AsyncDisposable & { readonly stores: Required<Pick<MadeStores, Has>> }

/** Adds a test that is given an empty store. */
export type On<Store> = (title: string, run: (store: Store) => Promise<void>) => void

const contracts: { readonly [Name in keyof MadeStores]-?: (on: On<Required<MadeStores>[Name]>) => void } = {
  sessions: sessionStoreContract,
  events: eventStoreContract,
  tasks(on) {
    taskStoreContract(on)
    taskLeaseContract(on)
  },
  effects: effectStoreContract,
  limiter: limiterContract,
  proofs: proofIdsContract,
  cluster(on) {
    presenceContract(on)
    inboxContract(on)
    bellContract(on)
  },
}

/** Runs the contracts of all stores that an engine has. */
export function storesContract<Has extends keyof MadeStores>({ name, has, skip, make }: Engine<Has>): void {
  for (const kind of has) {
    contracts[kind]((title, run) =>
      test(`${name}, ${kind}: ${title}`, skip ? { skip } : {}, async () => {
        await using made = await make()
        await run(made.stores[kind] as never)
      }),
    )
  }
}
