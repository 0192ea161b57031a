import { defineCommand, type Invocation } from '../command/command.ts'
import { exitCodes } from '../failure/exit-codes.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { decidedHere } from '../host/decided-here.ts'
import { type Line, styled } from '../output/span.ts'
import type { ServiceStep } from '../service/service.ts'
import type { ServicePlan } from '../service/service-plan.ts'

const verbs: { readonly [verb: string]: (invocation: Invocation) => Promise<void> } = { install, uninstall, status }

/** `trunkline service`: runs the host whenever you are logged in. */
export const serviceCommand = defineCommand({
  name: 'service',
  group: 'host',
  needs: { '': 'nothing', '?': 'terminal' },
  summary: 'Runs the host from login on: installs, removes or looks at the service of this system',
  usage: ['install', 'uninstall', 'status'],
  details: [
    'Installs a systemd user unit on Linux, a launchd agent on macOS, or a scheduled task on Windows. The text is shown before it is written. It names Node and this command by absolute paths, so it does not depend on the search path. With --json only the plan is printed.',
  ],
  options: {},
  json: '`{ file, text, … }`, the plan; nothing is written; status prints `{ file, isInstalled, isActive, isCurrent }`',
  examples: [
    { line: 'trunkline service install', shows: 'the text, one question, and the host as a service' },
    { line: 'trunkline service status', shows: 'whether it is installed and runs' },
  ],
  async run(invocation) {
    const run = verbs[invocation.words[0] ?? '']
    if (!run) throw usageFailure('Cannot tell what to do', 'Write: trunkline service install|uninstall|status')
    await run(invocation)
    return undefined
  },
})

async function install({ output, terminal, signal }: Invocation): Promise<void> {
  const { installService, servicePlan } = await import('../service/service.ts')
  const plan = servicePlan()
  const { file, text, start } = plan
  if (output.json) return output.result({ file, text, start }, () => [])
  for (const line of planLines(plan)) output.note(line)
  if (!(await decidedHere(terminal, `Write ${file} and start it?`, signal))) throw refused()
  const failed = await installService(plan)
  output.result({ file, failed }, () => [
    `Written: ${file}`,
    ...stepLines(failed),
    ...(failed.length === 0 ? [`The host runs, and will at every login. ${plan.note ?? ''}`.trimEnd()] : []),
  ])
  if (failed.length > 0) throw notRun()
}

async function uninstall({ output, terminal, signal }: Invocation): Promise<void> {
  const { installedService, servicePlan, uninstallService } = await import('../service/service.ts')
  const plan = servicePlan()
  const { file, stop } = plan
  const text = await installedService(plan)
  if (text === undefined) throw usageFailure('There is no service to remove')
  if (output.json) return output.result({ file, text, stop }, () => [])
  if (!(await decidedHere(terminal, `Stop the service and remove ${file}?`, signal))) throw refused()
  const failed = await uninstallService(plan)
  output.result({ file, failed }, () => [`Removed: ${file}`, ...stepLines(failed)])
}

async function status({ output }: Invocation): Promise<void> {
  const { installedService, isServiceActive, servicePlan } = await import('../service/service.ts')
  const plan = servicePlan()
  const text = await installedService(plan)
  const isInstalled = text !== undefined
  const isActive = isInstalled && (await isServiceActive(plan))
  const isCurrent = text === plan.text
  output.result({ file: plan.file, isInstalled, isActive, isCurrent }, () => {
    if (!isInstalled) return ['The host is no service here. Make it one: trunkline service install']
    return [
      `${plan.manager} has it from ${plan.file}, and it ${isActive ? 'runs' : 'does not run'}`,
      ...(isCurrent ? [] : ['Node or this command have moved since. Write it anew: trunkline service install']),
    ]
  })
}

function planLines({ manager, file, text, start }: ServicePlan): readonly Line[] {
  return [
    [styled('strong', `For ${manager}: `), file],
    ...text
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => styled('faint', `  ${line}`)),
    ...start.map((step): Line => ['  then: ', styled('name', step.join(' '))]),
  ]
}

function stepLines(failed: readonly ServiceStep[]): readonly Line[] {
  return failed.map(({ command, said }) => styled('warning', `"${command}" failed: ${said}`))
}

function refused(): Failure {
  return new Failure('Nothing was changed', { code: 'Refused', exit: exitCodes.denied })
}

function notRun(): Failure {
  return new Failure('The service is written and was not started', { code: 'Service', exit: exitCodes.unreachable })
}
