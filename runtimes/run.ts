/** Runs the same checks on every runtime, server and client both: one line each. */
import { installApart } from '../tools/lib/install.ts'
import { fail } from '../tools/lib/problem.ts'
import { must } from '../tools/lib/run.ts'
import { prepare } from './prepare.ts'
import { type Runtime, runtimes } from './runtimes.ts'

async function main(): Promise<void> {
  // too large for all who install the project
  await installApart('runtimes')
  await prepare()
  for (const runtime of await runtimes()) if (!(await passes(runtime))) process.exitCode = 1
}

async function passes({ name, binary, check }: Runtime): Promise<boolean> {
  if (binary === undefined) {
    console.log(`skip ${name.padEnd(8)} there is none for ${process.platform} ${process.arch}`)
    return true
  }
  const version = (await must(binary, ['--version'])).match(/\d[\d.-]+/)?.[0] ?? ''
  const { passed, failures } = await check(binary).catch((error: unknown) => ({ passed: 0, failures: [String(error)] }))
  const isGood = failures.length === 0 && passed > 0
  console.log(`${isGood ? 'ok  ' : 'FAIL'} ${name.padEnd(8)} ${version.padEnd(10)} ${passed} checks passed`)
  for (const failure of failures) console.error(failure)
  return isGood
}

await main().catch(fail)
