import { command } from './list/host/command.ts'
import { configuration } from './list/host/configuration.ts'
import { gateway } from './list/host/gateway.ts'
import { ledger } from './list/host/ledger.ts'
import { policy } from './list/host/policy.ts'
import { running } from './list/host/running.ts'
import type { Mutation } from './mutation.ts'

/** Mutations of the host and the command, by what they break. */
export const hostAreas: { readonly [area: string]: readonly Mutation[] } = {
  policy,
  ledger,
  gateway,
  configuration,
  running,
  command,
}
