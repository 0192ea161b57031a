import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { thisMachine } from '@trunkline/host/api'
import { usageFailure } from '../failure/failure.ts'
import { launchdPlan } from './launchd.ts'
import { marker, type ServiceContext, type ServicePlan } from './service-plan.ts'
import { systemdPlan } from './systemd.ts'
import { windowsTaskPlan } from './windows-task.ts'

const plans: { readonly [platform: string]: (context: ServiceContext) => ServicePlan } = {
  linux: systemdPlan,
  darwin: launchdPlan,
  win32: windowsTaskPlan,
}

/** Plan for installing the host as a service of this machine. */
export function servicePlan(): ServicePlan {
  const { platform, home, environment } = thisMachine()
  const plan = plans[platform]
  if (!plan) throw usageFailure(`Cannot install a service: that of "${platform}" is not known here`)
  const program = fileURLToPath(new URL('../../bin/trunkline.js', import.meta.url))
  return plan({ home, environment, launcher: [process.execPath, program], userId: process.getuid?.() })
}

/** The text of an installed service; undefined when there is none. */
export async function installedService({ file, encoding = 'utf8' }: ServicePlan): Promise<string | undefined> {
  const text = await readFile(file, encoding).catch(() => undefined)
  return text?.replace(/^\ufeff/, '')
}

/** Writes the file and starts the service; returns what could not be run. */
export async function installService(plan: ServicePlan, env = process.env): Promise<readonly ServiceStep[]> {
  await refuseForeign(plan)
  await runSteps(plan.before ?? [], env)
  await mkdir(dirname(plan.file), { recursive: true, mode: 0o700 })
  const { file, text, encoding = 'utf8' } = plan
  await writeFile(file, encoding === 'utf16le' ? `\ufeff${text}` : text, { encoding, mode: 0o600 })
  return runSteps(plan.start, env)
}

/** Stops the service and removes its file; returns what could not be run. */
export async function uninstallService(plan: ServicePlan, env = process.env): Promise<readonly ServiceStep[]> {
  await refuseForeign(plan)
  const stopped = await runSteps(plan.stop, env)
  await rm(plan.file, { force: true })
  return [...stopped, ...(await runSteps(plan.after, env))]
}

/** True if the service manager reports it running. */
export async function isServiceActive({ query }: ServicePlan, env = process.env): Promise<boolean> {
  return (await run(query, env)) === undefined
}

/** A command that failed, and what it said. */
export interface ServiceStep {
  readonly command: string
  readonly said: string
}

async function refuseForeign(plan: ServicePlan): Promise<void> {
  const text = await installedService(plan)
  if (text === undefined || text.includes(marker)) return
  throw usageFailure(`Cannot touch "${plan.file}": it was not written by this command; move it away first`)
}

async function runSteps(steps: ServicePlan['start'], env: NodeJS.ProcessEnv): Promise<readonly ServiceStep[]> {
  const failed: ServiceStep[] = []
  for (const step of steps) {
    const said = await run(step, env)
    if (said !== undefined) failed.push({ command: step.join(' '), said })
  }
  return failed
}

const stepMs = 60_000

/** Runs a command; what it said if it failed. */
function run([command = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: stepMs, env }, (error, _stdout, stderr) => {
      if (!error) resolve(undefined)
      else resolve(stderr.trim().split('\n').at(-1) || error.message)
    })
  })
}
