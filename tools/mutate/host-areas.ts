import { acts } from './list/host/acts.ts'
import { apiAuthentication } from './list/host/api-authentication.ts'
import { callersAndClients } from './list/host/callers.ts'
import { command } from './list/host/command.ts'
import { configuration } from './list/host/configuration.ts'
import { gateway } from './list/host/gateway.ts'
import { inbox } from './list/host/inbox.ts'
import { install } from './list/host/install.ts'
import { ledger } from './list/host/ledger.ts'
import { pins } from './list/host/pins.ts'
import { policy } from './list/host/policy.ts'
import { principals } from './list/host/principals.ts'
import { programs } from './list/host/programs.ts'
import { proof } from './list/host/proof.ts'
import { running } from './list/host/running.ts'
import { taint } from './list/host/taint.ts'
import { threats } from './list/host/threats.ts'
import type { Mutation } from './mutation.ts'

/** Mutations of the host and the command, by what they break. */
export const hostAreas: { readonly [area: string]: readonly Mutation[] } = {
  policy,
  pins,
  taint,
  inbox,
  principals,
  ledger,
  proof,
  install,
  gateway,
  'API authentication': apiAuthentication,
  'callers and clients': callersAndClients,
  programs,
  acts,
  configuration,
  running,
  command,
  threats,
}
