import { defineCommand } from '../command/command.ts'
import { ownVersion } from '../command/own-version.ts'

/** `trunkline version`: what runs here, for a report of a fault. */
export const versionCommand = defineCommand({
  name: 'version',
  group: 'own',
  needs: 'nothing',
  summary: 'Shows the version of this command, of Node and of the platform',
  usage: [''],
  options: {},
  json: '`{ version, node, platform, arch }`',
  examples: [
    { line: 'trunkline --version', shows: 'only the version' },
    { line: 'trunkline version --json', shows: 'all of it, for scripts' },
  ],
  async run({ output }) {
    const version = ownVersion()
    const { versions, platform, arch } = process
    output.result({ version, node: versions.node, platform, arch }, () => [
      `trunkline ${version}`,
      `node ${versions.node}, ${platform} ${arch}`,
    ])
    return undefined
  },
})
