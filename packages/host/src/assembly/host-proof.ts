import { join } from 'node:path'
import { recordDecision } from '../acts/record-decisions.ts'
import type { HostOptions } from './host-options.ts'
import type { Grants } from '../inbox/grants.ts'
import type { InboxOptions } from '../inbox/inbox.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { PersonProof } from '../inbox/proof/person-proof.ts'
import type { Store } from '../store/store.ts'

/** The parts of a host that a change of the proof touches. */
interface HostRecords {
  readonly store: Store
  readonly ledger: Ledger
  readonly grants: Grants
}

/** The proof of the person in a host: its changes are recorded, and a reset ends all that was allowed for a while. */
export function hostProof(
  { store, ledger, grants }: HostRecords,
  { folder, proof: limits, proofScopes: configured }: HostOptions,
): PersonProof {
  return new PersonProof(store, {
    file: join(folder, 'proof.json'),
    record: (outcome, why) => ledger.decide({ kind: 'changed', target: 'proof', outcome, why }),
    endGrants: async () => void (await grants.revoke()),
    limits,
    configured,
  })
}

/** Answers are recorded with the question they settle, and some count only with a proof. */
export function hostInbox(host: { readonly ledger: Ledger; readonly proof: PersonProof }): InboxOptions {
  return {
    record: (...told) => recordDecision(host.ledger, ...told),
    needsProof: (question, { choice, covers }) => {
      const isBroad = covers !== undefined
      return host.proof.isNeededFor({ kind: 'answer', question, choice, isBroad }, question.project)
    },
  }
}
