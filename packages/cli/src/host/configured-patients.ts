import { type ConfiguredServerLaunch, configuredLaunches, missingPackage, thisMachine } from '@trunkline/host/config'
import { diagnoseProgram, editCommand } from '../diagnosis/diagnose-program.ts'
import { diagnoseUrl } from '../diagnosis/diagnose-url.ts'
import { type Finding, type Patient, shellWord } from '../diagnosis/finding.ts'
import type { ProbeOptions } from '../diagnosis/program-evidence.ts'
import { noSuchOf } from '../failure/no-such.ts'
import { configuredTarget } from './configured-target.ts'
import { type HostLink, openHost } from './host-link.ts'
import { settledServers } from './settled-servers.ts'
import { changedLine, type ServerSummary } from './show.ts'
import { runningOrStarted } from './start-detached.ts'

/** A configured server that can be looked at. */
export interface ConfiguredPatient {
  readonly name: string
  diagnose(options: ProbeOptions): Promise<Finding | undefined>
}

/** Configured servers, all or those of some names; none is started that was not accepted. */
export async function configuredPatients(names: readonly string[]): Promise<readonly ConfiguredPatient[]> {
  const launches = await configuredLaunches(thisMachine(), process.cwd())
  const stray = names.find((name) => !launches.some((one) => one.name === name))
  if (stray !== undefined) {
    const names = launches.map(({ name }) => name)
    throw await noSuchOf(`There is no server "${stray}"`, stray, names)
  }
  await runningOrStarted()
  const { call } = await openHost()
  const known = await settledServers(call, ({ length }) => length >= launches.length)
  return launches
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map((launch) => ({
      name: launch.name,
      diagnose: (options) => diagnose(launch, { known: known.find(({ name }) => name === launch.name), call }, options),
    }))
}

async function diagnose(
  { name, source, launch }: ConfiguredServerLaunch,
  { known, call }: { readonly known: ServerSummary | undefined; readonly call: HostLink['call'] },
  options: ProbeOptions,
): Promise<Finding | undefined> {
  const patient: Patient = { name, words: name, source }
  if (launch.kind === 'unresolved') return unresolved(patient, launch.needs)
  // looked at now: what it runs may have changed since the host last started it
  const { differences = [], installed } = known ? await call('server', { server: known.key }) : {}
  if (differences.length > 0) {
    return { cause: 'not accepted', line: changedLine(differences), command: `trunkline accept ${name}` }
  }
  if (known?.data !== undefined) options.note?.(`Its data are marked ${known.data}`)
  if (known && !known.isAccepted) return notAccepted(patient, launch, options)
  // a second copy of what runs could fail only because the first one is there
  const running = known?.state === 'ready' ? await configuredTarget(name) : undefined
  if (running && known && known.why !== 'ready') options.note?.(`The host says: ${known.why}`)
  if (running?.kind === 'url') return diagnoseUrl(patient, running, options)
  if (launch.kind === 'remote') return diagnoseUrl(patient, launch, options)
  const { command, args, cwd, env, base } = { ...launch, ...installed }
  return diagnoseProgram(patient, { command, args, cwd, env: { ...base, ...env } }, options)
}

/** A server that was not accepted is not started; its package is asked for, since accepting cannot help one that is missing. */
async function notAccepted(
  patient: Patient,
  launch: ConfiguredServerLaunch['launch'],
  { timeoutMs }: ProbeOptions,
): Promise<Finding> {
  const { name } = patient
  const missing = launch.kind === 'unresolved' ? undefined : await missingPackage(launch, timeoutMs)
  if (missing?.cause === 'no package') {
    const line = `${missing.line}; correct its name, or take the server out with "trunkline remove ${name}"`
    return { cause: 'no package', line, command: editCommand(patient) }
  }
  const line = missing?.line ?? 'You have not accepted it yet, so it was not started'
  return { cause: missing?.cause ?? 'not accepted', line, command: `trunkline accept ${name}` }
}

function unresolved(patient: Patient, needs: string): Finding {
  const [, variable] = /\b([A-Za-z_]\w*) is not set/.exec(needs) ?? []
  if (variable === undefined) {
    // a mistake is told with its own line, which need not be that of the server
    const [, at] = /^(.+:\d+): /.exec(needs) ?? []
    return { cause: 'configuration', line: needs, command: editCommand({ ...patient, source: at ?? patient.source }) }
  }
  const command = `trunkline down; ${shellWord(variable)}=VALUE trunkline up --detach`
  return { cause: 'variable', line: needs, command }
}
