import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../lib/files.ts'
import { must, run } from '../lib/run.ts'
import { type Compilation, compilations, type TypeScript } from './matrix.ts'

const compilers: { readonly [version in TypeScript]: string } = {
  '5.6': 'tools/compilers/5.6',
  '5.9': 'tools/declarations',
  '6.0': 'tools/compilers/6.0',
  '7.0': '.',
}

/** Packages that the programs import besides this one; they stand in for those a user has installed. */
const installed = ['@types', '@opentelemetry', '@valibot', 'arktype', 'express', 'fastify', 'hono', 'valibot', 'zod']

/** Compiles programs of users in a folder where the package is installed; throws with all that is wrong. */
export async function compileAll(folder: string): Promise<string> {
  for (const name of installed) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  copyPrograms(folder)
  const compilers = [...new Set(compilations.map(({ typescript }) => typescript))]
  const problems = (await inPairs(compilers, (typescript) => compileWith(typescript, folder))).flat()
  if (problems.length > 0) throw new Error(`Cannot compile programs of users\n${problems.join('\n')}`)
  return `${compilations.length} compilations`
}

/** The programs that guides are cut from, and those made for this. */
function copyPrograms(folder: string): void {
  for (const path of globSync('examples/*/*.ts', { cwd: root })) {
    // the library alone is installed here; with the host and the stores, examples are run
    if (/ from '@trunkline\/(?:host|postgres|redis)/.test(readFileSync(join(root, path), 'utf8'))) continue
    const target = join(folder, path.replace(/^examples/, 'guides'))
    mkdirSync(dirname(target), { recursive: true })
    cpSync(join(root, path), target)
  }
  cpSync(join(root, 'tools/smoke/programs'), folder, { recursive: true })
  // the first examples of the README have to do without Node
  cpSync(join(root, 'examples/weather/weather.ts'), join(folder, 'portable/weather.ts'))
}

/** All compilations of one TypeScript; in one process if it has an API, since most of them read the same declarations. */
async function compileWith(typescript: TypeScript, folder: string): Promise<string[]> {
  const own = compilations.filter((one) => one.typescript === typescript)
  const configurations = own.map((compilation) => writeConfiguration(compilation, folder))
  const problems = hasApi(typescript)
    ? await problemsTogether(typescript, configurations, folder)
    : await Promise.all(configurations.map((path) => problemsApart(typescript, path, folder)))
  return own.flatMap(({ programs, options }, index) =>
    (problems[index] ?? ['it was not compiled']).map(
      (line) => `TypeScript ${typescript}, ${programs}, ${options.moduleResolution ?? options.module}: ${line}`,
    ),
  )
}

function writeConfiguration({ typescript, programs, options }: Compilation, folder: string): string {
  const index = compilations.findIndex((one) => one.options === options)
  const path = join(folder, `tsconfig.${index}.json`)
  const include = programs === 'commonjs' ? commonjsFiles(typescript) : [`${programs}/**/*`]
  const compilerOptions = { ...options, rootDir: '.', outDir: `out/${index}` }
  writeFileSync(path, JSON.stringify({ compilerOptions, include }, undefined, 2))
  return path
}

async function problemsTogether(typescript: TypeScript, paths: readonly string[], cwd: string): Promise<string[][]> {
  const checker = join(root, 'tools/declarations/problems-of-projects.ts')
  const printed = await must(process.execPath, [checker, folderOf(typescript), ...paths], { cwd })
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function problemsApart(typescript: TypeScript, path: string, cwd: string): Promise<string[]> {
  const compiler = join(folderOf(typescript), 'bin/tsc')
  const { passed, output } = await run(
    process.execPath,
    [compiler, '-p', path, '--pretty', 'false', '--checkers', '1'],
    { cwd },
  )
  return passed ? [] : problemsIn(output)
}

/** By `require` only where the compiler knows that it works. */
function commonjsFiles(typescript: TypeScript): string[] {
  return typescript === '5.6' ? ['commonjs/import.cts'] : ['commonjs/*.cts']
}

function hasApi(typescript: TypeScript): boolean {
  return existsSync(join(folderOf(typescript), 'lib/typescript.js'))
}

function folderOf(typescript: TypeScript): string {
  const folder = join(root, compilers[typescript], 'node_modules/typescript')
  if (!existsSync(folder)) throw new Error(`Cannot find TypeScript ${typescript}: run npm install`)
  return folder
}

/** The problems that a compiler wrote down, each from its first line to the last that is indented. */
export function problemsIn(output: string): string[] {
  if (output.trim() === '') return ['the compiler failed and said nothing']
  return output
    .trim()
    .split(/\n(?=\S)/)
    .filter((problem) => !isOfOthers(problem))
}

/** True for an error in the declarations of another package, which is not ours to mend. */
export function isOfOthers(line: string): boolean {
  return /node_modules\//.test(line.split('(')[0] ?? '') && !line.includes('node_modules/@trunkline/')
}

/** Two at a time: the machines of the gate have two cores. */
async function inPairs<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as Item, index)
  }
  await Promise.all([worker(), worker()])
  return results
}
