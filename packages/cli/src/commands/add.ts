import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import {
  type BundledSignIn,
  bundledProgram,
  bundledServers,
  presetClasses,
  presetLines,
} from '../host/bundled-servers.ts'
import { readByHost } from '../host/settled-servers.ts'
import { serverAddress } from '../session/target.ts'

/** `trunkline add`: configures a server. */
export const addCommand = defineCommand({
  name: 'add',
  group: 'host',
  needs: 'person',
  summary: 'Adds a server to your configuration; it starts after you accept it',
  usage: ['BUNDLED', 'NAME URL', 'NAME -- PROGRAM [ARGUMENT…]'],
  details: [
    'BUNDLED is one of the servers that come along: files, git, github, code. It serves the current folder, or those of --folder. The marks of its data and the classes of its tools are written into the entry.',
  ],
  options: {
    env: { type: 'string', short: 'e', value: 'NAME=VALUE', multiple: true, summary: 'A variable for the program' },
    header: {
      type: 'string',
      short: 'H',
      value: 'NAME:VALUE',
      multiple: true,
      summary: 'A header for the server at the URL',
    },
    folder: {
      type: 'string',
      value: 'PATH',
      multiple: true,
      summary: 'A folder that the bundled server serves; the current one unless given',
    },
    repo: {
      type: 'string',
      value: 'OWNER/NAME',
      multiple: true,
      summary: 'A repository that the bundled server for GitHub may write to; * stands for any part',
    },
    app: {
      type: 'boolean',
      summary:
        'Signs the bundled server for GitHub in by an app of your own instead of a token; prints how to register it',
    },
    data: {
      type: 'string',
      value: 'MARK',
      multiple: true,
      summary:
        'What it reads is "private" to you or "untrusted", written by people you do not know; write both for both',
    },
    revision: { type: 'string', value: 'DATE', summary: 'The only revision of the protocol to speak with it' },
  },
  json: '`{ added, file, entry }`',
  examples: [
    { line: 'trunkline add git', shows: 'the bundled server for the git repository in this folder' },
    {
      line: "trunkline add github --repo 'acme/*'",
      shows:
        'the bundled server for GitHub, which may write to the repositories of acme; it prints how to make its token',
    },
    { line: 'trunkline add notes -- npx -y @acme/notes-server', shows: 'a program' },
    { line: 'trunkline add docs https://example.com/mcp', shows: 'a server at a URL' },
    {
      line: 'trunkline add mail --data private --data untrusted -- npx -y @acme/mail-server',
      shows: 'a server of private data that strangers can write to; you are asked before they leave',
    },
  ],
  async run({ options, output, words, program }) {
    const { Config, dataMarks, editConfigFile, findPlaces, isServerName, serverRevisions, slugOf, thisMachine } =
      await import('@trunkline/host/config')
    const [name, url] = words
    const isBare = url === undefined && program === undefined
    const bundled = isBare && Object.hasOwn(bundledServers, name ?? '') ? bundledServers[name ?? ''] : undefined
    if (name === undefined || (bundled === undefined && (url === undefined) === (program === undefined))) {
      throw usageFailure('Cannot add a server: write a name, and an address or a program', 'trunkline add --help')
    }
    if (!isServerName(name)) throw usageFailure(`Cannot name a server "${name}"`, `It could be "${slugOf(name)}"`)
    const { env = [], header = [], data = [], revision, folder: folders = [], repo: repos = [], app = false } = options
    if (folders.length > 0 && bundled === undefined)
      throw usageFailure('Cannot use "--folder": it is for the bundled servers', 'trunkline add --help')
    if (repos.length > 0 && !bundled?.takesRepos)
      throw usageFailure('Cannot use "--repo": it is for the bundled server for GitHub', 'trunkline add --help')
    if (app && bundled?.signIn === undefined)
      throw usageFailure('Cannot use "--app": it is for the bundled server for GitHub', 'trunkline add --help')
    const signIn = bundled?.signIn?.[app ? 'app' : 'token']
    const wrongRepo = repos.find((pattern) => !/^[\w.*-]+\/[\w.*-]+$/.test(pattern))
    if (wrongRepo !== undefined)
      throw usageFailure(`Cannot use "--repo=${wrongRepo}"`, 'Write owner/name, and * for any part of them')
    const marks = dataMarks.filter((mark) => data.includes(mark) || (data.length === 0 && bundled?.data.includes(mark)))
    const wrong = data.find((mark) => !marks.some((one) => one === mark))
    if (wrong !== undefined) {
      throw usageFailure(
        `Cannot use "--data=${wrong}": there is no such mark of data`,
        `Write ${dataMarks.map((mark) => `--data ${mark}`).join(', ')}, or both`,
      )
    }
    if (revision !== undefined && !serverRevisions.includes(revision)) {
      throw usageFailure(
        `Cannot speak revision "${revision}": there is no such revision`,
        `Write one of ${serverRevisions.join(', ')}`,
      )
    }
    if (url !== undefined && (await serverAddress(url, ['https', 'http'])) === undefined) {
      throw usageFailure(
        `Cannot add "${name}": "${url}" is no address of a server`,
        `Write https://… or http://…, or a program: trunkline add ${name} -- ${url}`,
      )
    }
    const [command = '', ...args] = bundled ? bundledCommand(name, folders, repos) : (program ?? [])
    const entry = {
      ...(url === undefined
        ? { command, args, ...variables({ ...secretsOf(signIn), ...pairs(env, '=', '--env') }) }
        : { url, ...(header.length > 0 && { headers: pairs(header, ':', '--header') }) }),
      ...(marks.length > 0 && { data: marks.length === 1 ? `${marks[0]}` : marks }),
      ...(revision !== undefined && { revision }),
      ...(bundled && { classes: presetClasses(bundled) }),
    }
    const machine = thisMachine()
    const places = findPlaces(machine)
    const { userFile } = places
    using config = new Config({ places, machine, isAccepted: () => false })
    if ((await config.effective()).servers.some((server) => server.name === name)) {
      throw usageFailure(
        `Cannot add "${name}": it is configured already`,
        `Take it out first: trunkline remove ${name}`,
      )
    }
    await editConfigFile(userFile, [{ path: ['mcpServers', name], value: entry }])
    await readByHost((servers) => servers.some((server) => server.name === name))
    output.result({ added: name, file: userFile, entry }, () => [
      `"${name}" is in ${userFile}`,
      ...(marks.length > 0 ? [`Its data are marked ${marks.join(' and ')}`] : []),
      ...(bundled ? presetLines(bundled) : []),
      ...(bundled?.takesRepos ? [writesLine(repos)] : []),
      ...(signIn?.steps ?? []),
      `Let it start: trunkline accept ${name}`,
    ])
    return undefined
  },
})

/** The command of a bundled server for folders that are not all of a person's files. */
function bundledCommand(name: string, folders: readonly string[], repos: readonly string[]): readonly string[] {
  const program = bundledProgram(name)
  if (program === undefined) throw usageFailure(`Cannot add "${name}": this installation does not have that server`)
  const served = (folders.length === 0 ? ['.'] : folders).map((folder) => resolve(folder))
  const wide = served.find((folder) => folder === homedir() || dirname(folder) === folder)
  if (wide !== undefined)
    throw usageFailure(
      `Cannot add "${name}" for ${wide}: that is more than a project`,
      `Go to the folder of a project, or name it: trunkline add ${name} --folder PATH`,
    )
  return [process.execPath, program, ...served, ...repos.flatMap((repo) => ['--repo', repo])]
}

/** Variables of a bundled server that name secrets; the entry never holds them. */
function secretsOf(signIn: BundledSignIn | undefined): { readonly [name: string]: string } {
  const secrets = Object.entries(signIn?.secrets ?? {})
  return Object.fromEntries(secrets.map(([variable, secret]) => [variable, `secret:${secret}`]))
}

function variables(env: { readonly [name: string]: string }) {
  return Object.keys(env).length > 0 ? { env } : {}
}

function writesLine(repos: readonly string[]): string {
  return repos.length === 0
    ? 'It writes to no repository; name those that it may write to: --repo OWNER/NAME'
    : `It writes to ${repos.join(', ')}`
}

function pairs(written: readonly string[], separator: string, option: string): { readonly [name: string]: string } {
  return Object.fromEntries(
    written.map((text) => {
      const at = text.indexOf(separator)
      if (at < 1) throw usageFailure(`Cannot use "${option}=${text}": write it as NAME${separator}VALUE`)
      return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
    }),
  )
}
