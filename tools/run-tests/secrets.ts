import { canary } from '../../packages/mcp/test/fixtures/canary.ts'
import type { FileOutcome } from './run-file.ts'

const secrets = new RegExp(`${canary}|\\beyJ[\\w-]+\\.eyJ[\\w-]+\\.[\\w-]+`)

/** An outcome that is a failure when tests printed a secret, be it one of their own or a signed token. */
export function withoutSecrets(outcome: FileOutcome): FileOutcome {
  const errors = outcome.records.map(({ error = '' }) => error)
  const [secret] = secrets.exec([outcome.output, ...errors].join('\n')) ?? []
  if (secret === undefined) return outcome
  const problem = `it printed a secret; look for "${secret.slice(0, 25)}" in what it wrote`
  return { ...outcome, problem: outcome.problem === undefined ? problem : `${outcome.problem}; ${problem}` }
}
