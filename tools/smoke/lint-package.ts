import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData, type Problem } from '@arethetypeswrong/core'
import { problemKindInfo } from '@arethetypeswrong/core/problems'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

/** Result of two outside referees on the published package: its layout, and whether its types are found. */
export async function lintPackage(folder: string, tarball: string): Promise<string> {
  const problems = [...(await layoutProblems(folder)), ...(await typeProblems(tarball))]
  if (problems.length > 0) throw new Error(`Cannot publish the package\n${problems.join('\n')}`)
  return 'publint and attw agree'
}

async function layoutProblems(folder: string): Promise<string[]> {
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))
  const { messages } = await publint({ pkgDir: folder, strict: true, pack: false })
  return messages.map((message) => `publint: ${formatMessage(message, manifest, { color: false })}`)
}

async function typeProblems(tarball: string): Promise<string[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))
  if (result.types === false) return ['attw: the package has no types']
  return result.problems
    .filter((problem) => !isKnown(problem))
    .map((problem) => `attw: ${problemKindInfo[problem.kind].title} ${JSON.stringify(problem)}`)
}

/** The package is made of modules alone: CommonJS loads them as Node lets it, and resolution without `exports` finds none. */
function isKnown(problem: Problem): boolean {
  if (problem.kind === 'CJSResolvesToESM') return true
  return 'resolutionKind' in problem && problem.resolutionKind === 'node10'
}
