import { existsSync, readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { defineCommand } from '../command/command.ts'
import { ownVersion } from '../command/own-version.ts'
import { shellWord } from '../diagnosis/finding.ts'
import { usageFailure } from '../failure/failure.ts'
import { styled } from '../output/span.ts'

/** `trunkline new`: a project for a server. */
export const newCommand = defineCommand({
  name: 'new',
  group: 'authors',
  needs: 'nothing',
  summary: 'Creates a server project with tests that pass',
  usage: ['NAME'],
  details: [
    'Creates a folder with a server in TypeScript (a tool, a resource and a prompt, with zod), its tests in every revision of the protocol, a Dockerfile and a workflow for CI. NAME may be a path; its last part becomes the name of the package and of the server. Nothing is installed, and no existing file is overwritten.',
  ],
  options: {},
  json: '`{ folder, name, files }`',
  examples: [
    { line: 'trunkline new weather', shows: 'a project in a folder of that name' },
    { line: 'trunkline new weather && cd weather && npm install && npm test', shows: 'the same, and runs its tests' },
  ],
  async run({ words: [path], output }) {
    if (path === undefined) throw usageFailure('Cannot make a project: give it a name', 'trunkline new weather')
    const folder = resolve(path)
    const name = checkedName(basename(folder))
    if (existsSync(folder) && readdirSync(folder).length > 0)
      throw usageFailure(
        `Cannot make "${path}": the folder has something in it already`,
        `Name a folder that is empty or not there yet: trunkline new ${shellWord(`${path.replace(/\/+$/, '')}-server`)}`,
      )
    const { projectFiles } = await import('@trunkline/authoring/scaffold')
    const files = projectFiles({ name, versions: versionsHere() })
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), text, { flag: 'wx' })
    }
    const way = relative('.', folder) || '.'
    output.result({ folder, name, files: Object.keys(files) }, () => [
      ...Object.keys(files).map((file) => [styled('good', '+ '), join(way, file)]),
      '',
      styled('strong', 'Next'),
      `  cd ${way} && npm install && npm test`,
      '  npm run dev',
    ])
    return undefined
  },
})

function checkedName(name: string): string {
  if (/^[a-z][a-z0-9-]{0,49}$/.test(name)) return name
  const guess = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 50)
  const fix = guess === '' ? '' : `; "${guess}" would do`
  throw usageFailure(
    `Cannot call a project "${name}": a name has small letters, digits and "-", and begins with a letter${fix}`,
  )
}

/** Dependencies of a new project, at the versions that this command was made with. */
function versionsHere(): { readonly [dependency: string]: string } {
  const version = ownVersion()
  return {
    '@trunkline/mcp': `^${version}`,
    trunkline: `^${version}`,
    zod: '^4.0.0',
    typescript: '^5.9.0 || ^7.0.0',
    '@types/node': '^24.0.0',
  }
}
