import { join } from 'node:path'
import { recordDecision } from '../acts/record-decisions.ts'
import { recordStart } from '../acts/record-starts.ts'
import { Catalogue } from '../catalogue/catalogue.ts'
import { Principals } from '../gateway/principals/principals.ts'
import { Wire } from '../gateway/wire/wire.ts'
import { Grants } from '../inbox/grants.ts'
import { Inbox } from '../inbox/inbox.ts'
import { PersonProof } from '../inbox/proof/person-proof.ts'
import { Ledger } from '../ledger/ledger.ts'
import { LedgerIndex } from '../ledger/search-index.ts'
import { Models } from '../model/models.ts'
import { Pipes } from '../pipe/pipes.ts'
import { Spills } from '../relay/spills/spills.ts'
import { Outcomes } from '../relay/terms/outcomes.ts'
import { BoundPrograms } from '../servers/programs/bound-programs.ts'
import { Programs } from '../servers/programs/programs.ts'
import { StateHistory } from '../servers/state-history.ts'
import { openStore, type Store } from '../store/store.ts'
import { allTables } from '../store/tables/all-tables.ts'
import { ClientAcceptance } from '../trust/client-acceptance.ts'
import type { HostOptions } from './host-options.ts'
import { Retention } from './retention.ts'

/** Services of a host that stand on its store alone; what runs servers and answers callers is wired with them. */
export class HostServices {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly principals: Principals
  readonly inbox: Inbox
  readonly clients: ClientAcceptance
  readonly grants: Grants
  readonly ledger: Ledger
  /** Words of what was recorded, for searches. */
  readonly searchIndex: LedgerIndex
  readonly proof: PersonProof
  /** Messages to and from callers and servers, kept while a person watches. */
  readonly wire: Wire
  readonly states: StateHistory
  readonly spills: Spills
  readonly pipes: Pipes
  readonly outcomes: Outcomes
  readonly models: Models
  readonly programs: Programs
  readonly bound: BoundPrograms
  readonly retention: Retention

  constructor(options: HostOptions) {
    const { folder, onError, packageEnvironment: environment } = options
    this.store = openStore({ path: join(folder, 'trunkline.db'), rooms: allTables })
    this.catalogue = new Catalogue(this.store)
    this.principals = new Principals(this.store)
    this.grants = new Grants(this.store)
    this.ledger = new Ledger(this.store, undefined, { onError: (error) => onError?.(error, 'ledger') })
    this.searchIndex = new LedgerIndex(this.store, this.ledger, { onError: (error) => onError?.(error, 'search') })
    // its changes are recorded, and a reset ends all that was allowed for a while
    this.proof = new PersonProof(this.store, {
      file: join(folder, 'proof.json'),
      record: (outcome, why) => this.ledger.decide({ kind: 'changed', target: 'proof', outcome, why }),
      endGrants: async () => void (await this.grants.revoke()),
      limits: options.proof,
      configured: options.proofScopes,
    })
    // answers are recorded with the question they settle, and some count only with a proof
    this.inbox = new Inbox(this.store, options.limits, {
      record: (...told) => recordDecision(this.ledger, ...told),
      needsProof: (question, { choice, covers }) => {
        const isBroad = covers !== undefined
        return this.proof.isNeededFor({ kind: 'answer', question, choice, isBroad }, question.project)
      },
    })
    this.clients = new ClientAcceptance(this, options)
    this.wire = new Wire({ levelOf: (...of) => options.record?.(...of) ?? 'full' })
    this.states = new StateHistory((change) => recordStart(this.ledger, change))
    this.spills = new Spills(this.store, options.spills)
    this.pipes = new Pipes(this.store, options.pipe)
    this.outcomes = new Outcomes(this.store, options.outcomes)
    this.models = new Models(this.store)
    this.programs = new Programs(this.store, { folder: join(folder, 'programs'), ...(environment && { environment }) })
    this.bound = new BoundPrograms(this.store, this.programs)
    this.retention = new Retention(this, { onError: (error) => onError?.(error, 'what is old') })
  }
}
