/** Releases all packages under one version: manifests, changelog, tarballs, publishing with provenance, tag. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { type File, readFiles, root } from './lib/files.ts'
import { fail } from './lib/problem.ts'
import { must } from './lib/run.ts'
import { packAll } from './pack.ts'
import { releaseChangelog } from './release/changelog.ts'
import { refuseVersion, withVersion } from './release/versions.ts'

const help = `Usage: npm run release -- <version> [--dry-run]

Writes the version into every manifest and the lock, moves what is unreleased in CHANGELOG.md below it, packs the
packages, publishes them with provenance, and makes a commit and a tag. It takes a clean tree.
  --dry-run  says what would be done, packs, lets npm check each tarball, and leaves every file as it was
`

interface Planned {
  readonly version: string
  readonly notes: string
  readonly changed: readonly File[]
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) return console.log(help)
  const isDryRun = values['dry-run']
  const dirty = await must('git', ['status', '--porcelain'])
  if (dirty !== '' && !isDryRun) throw new Error(`Cannot release: the tree has changes of its own\n${dirty}`)
  const plan = planned(positionals[0])
  console.log(`version ${plan.version}, in ${plan.changed.length} files\n\n${plan.notes}\n`)
  const before = plan.changed.map(({ path }) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  write(plan.changed)
  try {
    const tarballs = await packAll()
    await publish(tarballs, isDryRun)
  } finally {
    if (isDryRun) write(before)
  }
  if (isDryRun) return console.log('\nnothing was published, and every file is as it was')
  await must('git', ['commit', '--quiet', '-am', `release: ${plan.version}`])
  await must('git', ['tag', '-a', `v${plan.version}`, '-m', plan.notes])
  console.log(`\ncommitted and tagged v${plan.version}: git push --follow-tags`)
}

/** Changes of a release; without a version, the next patch. */
function planned(given: string | undefined): Planned {
  const manifests = readFiles('packages/**/package.json', 'examples/*/package.json')
  const ours = new Set(manifests.map(({ text }) => (JSON.parse(text) as { name: string }).name))
  const library = readFiles('packages/mcp/package.json')[0]?.text ?? ''
  const current = (JSON.parse(library) as { version: string }).version
  const version = given ?? nextPatch(current)
  refuseVersion(version, current)
  const date = new Date().toISOString().slice(0, 10)
  const [changelog] = readFiles('CHANGELOG.md')
  const { text, notes } = releaseChangelog(changelog?.text ?? '', { version, date })
  const lock = readFiles('package-lock.json').map((file) => ({ ...file, text: lockWith(file.text, version, ours) }))
  const versioned = manifests.map((file) => withVersion(file, version, ours))
  const changed = [...versioned, ...lock, { path: 'CHANGELOG.md', text }]
  return {
    version,
    notes,
    changed: changed.filter(({ path, text }) => readFileSync(join(root, path), 'utf8') !== text),
  }
}

function nextPatch(version: string): string {
  return version.replace(/\d+$/, (patch) => `${Number(patch) + 1}`)
}

function lockWith(text: string, version: string, ours: ReadonlySet<string>): string {
  const lock = JSON.parse(text) as { packages: { [folder: string]: { name?: string; version?: string } } }
  const own = Object.values(lock.packages).filter(({ name }) => name !== undefined && ours.has(name))
  for (const one of own) if (one.version !== undefined) one.version = version
  return withVersion({ path: '', text: `${JSON.stringify(lock, undefined, 2)}\n` }, version, ours).text
}

async function publish(tarballs: readonly string[], isDryRun: boolean): Promise<void> {
  for (const tarball of tarballs) {
    // provenance is signed where the release is built in public, and npm refuses to make it up elsewhere
    const way = isDryRun ? ['--dry-run'] : ['--provenance']
    await must('npm', ['publish', tarball, '--access', 'public', ...way])
    console.log(`${isDryRun ? 'would publish' : 'published'} ${basename(tarball)} with provenance`)
  }
}

function write(files: readonly File[]): void {
  for (const { path, text } of files) writeFileSync(join(root, path), text)
}

if (import.meta.main) await main().catch(fail)
