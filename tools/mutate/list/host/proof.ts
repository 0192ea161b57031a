import { type Mutation, mutationsOf } from '../../mutation.ts'

const unit = ['src/inbox/proof/person-proof.test.ts']
const overTheApi = ['test/api/proof.test.ts']

/** The proof of the person. */
export const proof: readonly Mutation[] = mutationsOf('host', [
  {
    breaks: 'a ticket opens every terminal of a process',
    file: 'src/inbox/proof/tickets.ts',
    from: 'return JSON.stringify([pid, startedAt, terminal, session])',
    to: 'return JSON.stringify([pid, startedAt, session])',
    noticedBy: unit,
  },
  {
    breaks: 'a ticket opens a later process of the same number',
    file: 'src/inbox/proof/tickets.ts',
    from: 'return JSON.stringify([pid, startedAt, terminal, session])',
    to: 'return JSON.stringify([pid, terminal, session])',
    noticedBy: unit,
  },
  {
    breaks: 'wrong PINs are not counted',
    file: 'src/inbox/proof/pin-tries.ts',
    from: 'const failed = this.#table.get().failed + 1',
    to: 'const failed = 1',
    noticedBy: unit,
  },
  {
    breaks: 'a PIN is compared while one has to wait',
    file: 'src/inbox/proof/person-proof.ts',
    from: 'if (waitUntil !== undefined) throw tooMany(waitUntil)',
    to: '',
    noticedBy: unit,
  },
  {
    breaks: 'a signature is good for another decision',
    file: 'src/inbox/proof/challenges.ts',
    from: ' && challengeOf(made.nonce, decision) === challenge',
    to: '',
    noticedBy: [...unit, ...overTheApi],
  },
  {
    breaks: 'a signature is good twice',
    file: 'src/inbox/proof/challenges.ts',
    from: 'this.#made.take(challenge)',
    to: 'this.#made.get(challenge)',
    noticedBy: unit,
  },
  {
    breaks: 'a page at another port is signed for',
    file: 'src/inbox/proof/passkey.ts',
    from: 'if (data.origin !== origin)',
    to: "if (!String(data.origin).startsWith('http://localhost:'))",
    noticedBy: [...unit, ...overTheApi],
  },
  {
    breaks: 'a passkey without user verification is a proof',
    file: 'src/inbox/proof/passkey.ts',
    from: '(given & flags.present) === 0 || (given & flags.verified) === 0',
    to: '(given & flags.present) === 0',
    noticedBy: unit,
  },
  {
    breaks: 'any signature is taken',
    file: 'src/inbox/proof/passkey.ts',
    from: 'if (!verify(hash,',
    to: 'if (false && !verify(hash,',
    noticedBy: unit,
  },
  {
    breaks: 'a copied passkey is a proof',
    file: 'src/inbox/proof/enrolment.ts',
    from: 'if (counter <= before && (counter > 0 || before > 0)) return false',
    to: '',
    noticedBy: unit,
  },
  {
    breaks: 'a hash that was deleted counts as none',
    file: 'src/inbox/proof/enrolment.ts',
    from: "return isRemoved ? { state: 'none' } : damaged('it is missing from the store', mark?.scopes)",
    to: "return { state: 'none' }",
    noticedBy: unit,
  },
  {
    breaks: 'a hash that was replaced is used',
    file: 'src/inbox/proof/enrolment.ts',
    from: '!enrolled || !mark.digests.includes(digestOf(record))',
    to: '!enrolled',
    noticedBy: unit,
  },
  {
    breaks: 'a forgotten proof is removed at once',
    file: 'src/inbox/proof/person-proof.ts',
    from: '    if (isProven) {\n      await this.#replace(undefined)',
    to: '    if (true) {\n      await this.#replace(undefined)',
    noticedBy: unit,
  },
  {
    breaks: 'a caller answers what needs a proof',
    file: 'src/inbox/inbox.ts',
    from: 'if (!door.isProven && this.needsProof(question, answer))',
    to: 'if (!door.isProven && door.isLocal && this.needsProof(question, answer))',
    noticedBy: overTheApi,
  },
  {
    breaks: 'changes of the proof need none',
    file: 'src/api/require-proof.ts',
    from: "kind === 'proof' ? proof.current.state !== 'none' :",
    to: "kind === 'proof' ? false :",
    noticedBy: overTheApi,
  },
])
