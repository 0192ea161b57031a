import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestRepository } from './test-repository.ts'

/** A repository that wants to run or reach something; the shell command `run` would leave a mark outside. */
export interface HostileRepository {
  readonly name: string
  plant(repository: TestRepository, run: string): void
  /** Calls that a person could make there, each with the code of the problem it must tell, if any. */
  readonly calls: readonly Call[]
  /** Arguments of plain git that fall for it: shows that the trap is live. */
  readonly falls?: readonly string[]
}

/** A tool, its arguments, and the problem that is expected. */
export type Call = readonly [tool: string, args: { readonly [name: string]: unknown }, code?: string]

const status: Call = ['get_status', {}]
const diff: Call = ['show_diff', { patch: true }]
const show: Call = ['show_commit', { ref: 'HEAD', patch: true }]
const blame: Call = ['show_blame', { path: 'a.txt', from: 1, lines: 1 }]
const log: Call = ['list_commits', { path: 'a.txt', fields: ['email'] }]
const commit: Call = ['create_commit', { message: 'x', paths: ['a.txt'] }]
const stage: Call = ['stage_paths', { paths: ['a.txt'] }]
const toTopic: Call = ['switch_branch', { name: 'topic', changes: 'stash' }]
const merge: Call = ['merge_ref', { ref: 'topic' }]
const fetch: Call = ['fetch_remote', {}]
const push: Call = ['push_branch', {}]
const refused = ([tool, args]: Call): Call => [tool, args, 'refused']
const reading = [status, diff, show, blame, log]

const program = (repository: TestRepository, run: string): string => {
  const path = join(repository.outside, '..', 'trap.sh')
  writeFileSync(path, `#!/bin/sh\n${run}\ncat\n`)
  chmodSync(path, 0o755)
  return path
}

/** Settings of the repository that start a program. */
const set =
  (settings: (path: string, run: string) => { readonly [key: string]: string }, attributes = '') =>
  (repository: TestRepository, run: string): void => {
    for (const [key, value] of Object.entries(settings(program(repository, run), run)))
      repository.git('config', '--add', key, value)
    if (attributes !== '') repository.write({ '.gitattributes': attributes })
  }

const inGit =
  (plant: (gitDir: string, repository: TestRepository, run: string) => void) =>
  (repository: TestRepository, run: string): void =>
    plant(join(repository.path, '.git'), repository, run)

const moveOut =
  (name: string) =>
  (gitDir: string, { outside }: TestRepository): void => {
    renameSync(join(gitDir, name), join(outside, name))
    symlinkSync(join(outside, name), join(gitDir, name))
  }

const hookNames = [
  'pre-commit',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'post-merge',
  'reference-transaction',
  'post-index-change',
  'pre-push',
]
const plantHooks = (folder: string, run: string): void => {
  mkdirSync(folder, { recursive: true })
  for (const name of hookNames) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${run}\n`)
    chmodSync(join(folder, name), 0o755)
  }
}

const withRemote =
  (url: string, settings: (path: string, run: string) => { readonly [key: string]: string } = () => ({})) =>
  (repository: TestRepository, run: string): void =>
    set((path, trap) => ({
      'remote.origin.url': url.replace('RUN', trap.replaceAll(' ', '% ')),
      ...settings(path, trap),
    }))(repository, run)

/** Repositories whose settings start programs. */
export const hostileSettings: readonly HostileRepository[] = [
  {
    name: 'core.fsmonitor',
    plant: set((path) => ({ 'core.fsmonitor': path })),
    calls: [...reading, stage],
    falls: ['status'],
  },
  { name: 'diff.external', plant: set((path) => ({ 'diff.external': path })), calls: [diff, show], falls: ['diff'] },
  {
    name: 'diff.*.command',
    plant: set((path) => ({ 'diff.x.command': path }), '*.txt diff=x\n'),
    calls: [diff, show],
    falls: ['diff'],
  },
  {
    name: 'diff.*.textconv',
    plant: set((path) => ({ 'diff.x.textconv': path }), '*.txt diff=x\n'),
    calls: [diff, show, blame, log],
    falls: ['diff'],
  },
  {
    name: 'filter.*.clean',
    plant: set((path) => ({ 'filter.x.clean': path }), '*.txt filter=x\n'),
    calls: [...reading, refused(stage), refused(commit)],
    falls: ['add', 'a.txt'],
  },
  {
    name: 'filter.*.smudge',
    plant: set((path) => ({ 'filter.x.smudge': path, 'filter.x.required': 'true' }), '*.txt filter=x\n'),
    calls: [status, refused(toTopic), refused(merge)],
    falls: ['checkout', 'topic', '--', 'a.txt'],
  },
  {
    name: 'filter.*.process',
    plant: set((path) => ({ 'filter.x.process': path }), '*.txt filter=x\n'),
    calls: [status, diff, refused(stage)],
    falls: ['add', 'a.txt'],
  },
  {
    name: 'merge.*.driver',
    plant: set((path) => ({ 'merge.x.driver': path }), '*.txt merge=x\n'),
    calls: [status, refused(merge)],
  },
  {
    name: 'gpg.program',
    plant: set((path) => ({ 'gpg.program': path, 'commit.gpgSign': 'true' })),
    calls: [...reading, refused(commit)],
    falls: ['commit', '-qam', 'x'],
  },
  {
    name: 'gpg.ssh.defaultKeyCommand',
    plant: set((_, run) => ({
      'gpg.format': 'ssh',
      'gpg.ssh.defaultKeyCommand': `sh -c '${run}'`,
      'commit.gpgSign': 'true',
    })),
    calls: [log, refused(commit)],
    falls: ['commit', '-qam', 'x'],
  },
  {
    name: 'commit.gpgSign without a key',
    plant: set(() => ({ 'commit.gpgSign': 'true', 'user.signingKey': 'none' })),
    calls: [commit],
  },
  {
    name: 'log.showSignature on a signed commit',
    plant: (repository, run) => {
      const body = repository.git('cat-file', 'commit', 'HEAD').split('\n\n')
      writeFileSync(
        join(repository.path, '.git/signed'),
        `${body[0]}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nsigned\n`,
      )
      repository.git('update-ref', 'HEAD', repository.git('hash-object', '-t', 'commit', '-w', '.git/signed'))
      set((path) => ({ 'log.showSignature': 'true', 'gpg.program': path }))(repository, run)
    },
    calls: [['list_commits', {}], show],
    falls: ['log'],
  },
  {
    name: 'core.hooksPath',
    plant: (repository, run) => {
      plantHooks(join(repository.path, 'hooks'), run)
      repository.git('config', 'core.hooksPath', 'hooks')
    },
    calls: [status, stage, commit, toTopic],
    falls: ['commit', '-qam', 'x'],
  },
  {
    name: 'hooks',
    plant: inGit((gitDir, _, run) => plantHooks(join(gitDir, 'hooks'), run)),
    calls: [stage, commit, merge, toTopic],
    falls: ['commit', '-qam', 'x'],
  },
  {
    name: 'core.pager and pager.*',
    plant: set((path) => ({ 'core.pager': path, 'pager.log': path, 'pager.diff': path })),
    calls: [diff, log],
  },
  { name: 'core.editor', plant: set((path) => ({ 'core.editor': path, 'sequence.editor': path })), calls: [commit] },
  {
    name: 'aliases of commands',
    plant: set((_, run) => ({ 'alias.status': `!${run}`, 'alias.log': `!${run}`, 'alias.x': `!${run}` })),
    calls: [status, log],
  },
  { name: 'core.alternateRefsCommand', plant: set((_, run) => ({ 'core.alternateRefsCommand': run })), calls: reading },
  {
    name: 'include.path',
    plant: (repository, run) => {
      writeFileSync(join(repository.outside, '..', 'more'), `[core]\n\tfsmonitor = ${program(repository, run)}\n`)
      repository.git('config', 'include.path', join(repository.outside, '..', 'more'))
    },
    calls: [refused(status), refused(log), refused(commit)],
    falls: ['status'],
  },
  { name: 'include.path of a device', plant: set(() => ({ 'include.path': '/dev/zero' })), calls: [refused(status)] },
  {
    name: 'includeIf.*.path',
    plant: (repository, run) => {
      writeFileSync(join(repository.outside, '..', 'more'), `[core]\n\tfsmonitor = ${program(repository, run)}\n`)
      repository.git('config', 'includeIf.onbranch:**.path', join(repository.outside, '..', 'more'))
    },
    calls: [refused(status)],
    falls: ['status'],
  },
  {
    name: 'core.fsmonitor of a submodule',
    plant: (repository, run) => {
      repository.git('init', '-q', 'sub')
      repository.git('-C', 'sub', 'commit', '-q', '--allow-empty', '-m', 'x')
      repository.git('-c', 'advice.addEmbeddedRepo=false', 'add', 'sub')
      repository.git('-C', 'sub', 'config', 'core.fsmonitor', program(repository, run))
      repository.write({ 'sub/x': 'x' })
    },
    calls: [status, diff],
    falls: ['status'],
  },
  {
    name: 'config.worktree',
    plant: (repository, run) => {
      repository.git('config', 'extensions.worktreeConfig', 'true')
      repository.git('config', '--worktree', 'filter.x.clean', program(repository, run))
      repository.write({ '.gitattributes': '*.txt filter=x\n' })
    },
    calls: [status, diff, refused(stage)],
    falls: ['add', 'a.txt'],
  },
]

/** Repositories whose remotes start programs or lead elsewhere. */
export const hostileRemotes: readonly HostileRepository[] = [
  {
    name: 'core.sshCommand',
    plant: withRemote('ssh://localhost/x', (path) => ({ 'core.sshCommand': path })),
    calls: [refused(fetch), refused(push)],
    falls: ['fetch'],
  },
  {
    name: 'core.gitProxy',
    plant: withRemote('git://localhost/x', (path) => ({ 'core.gitProxy': path })),
    calls: [refused(fetch)],
  },
  {
    name: 'credential.helper',
    plant: withRemote('http://localhost:1/x', (_, run) => ({ 'credential.helper': `!${run};` })),
    calls: [refused(fetch)],
  },
  {
    name: 'url.*.insteadOf',
    plant: withRemote('https://example.org/x', (_, run) => ({
      [`url.ext::sh -c ${run.replaceAll(' ', '% ')} .insteadOf`]: 'https://',
    })),
    calls: [refused(fetch), refused(push)],
  },
  {
    name: 'protocol.ext.allow',
    plant: withRemote('ext::sh -c "RUN" %S x', () => ({ 'protocol.ext.allow': 'always' })),
    calls: [refused(fetch)],
  },
  { name: 'an address ext::', plant: withRemote('ext::sh -c RUN'), calls: [refused(fetch), refused(push)] },
  { name: 'an address fd::', plant: withRemote('fd::17'), calls: [refused(fetch)] },
  {
    name: 'a path as address',
    plant: (repository) => void repository.git('remote', 'add', 'origin', repository.outside),
    calls: [refused(fetch), refused(push)],
  },
  {
    name: 'file:// as address',
    plant: (repository) => void repository.git('remote', 'add', 'origin', `file://${repository.outside}`),
    calls: [refused(fetch)],
  },
  {
    name: 'an address that is an option',
    plant: withRemote('--upload-pack=RUN'),
    calls: [refused(fetch), refused(push)],
  },
  { name: 'a host that is an option', plant: withRemote('-oProxyCommand=RUN:x'), calls: [refused(fetch)] },
  {
    name: 'remote.*.pushurl',
    plant: withRemote('https://example.org/x', (_, run) => ({ 'remote.origin.pushurl': `ext::sh -c ${run}` })),
    calls: [refused(push)],
  },
  {
    name: 'remote.*.vcs',
    plant: withRemote('https://example.org/x', () => ({ 'remote.origin.vcs': 'ext' })),
    calls: [refused(fetch)],
  },
  {
    name: 'http.proxy',
    plant: withRemote('https://example.org/x', () => ({ 'http.proxy': 'http://localhost:1' })),
    calls: [refused(fetch), refused(push)],
  },
  {
    name: 'http.cookieFile',
    plant: withRemote('https://example.org/x', () => ({
      'http.cookieFile': '/etc/passwd',
      'http.saveCookies': 'true',
    })),
    calls: [refused(fetch)],
  },
  {
    name: 'http.*.extraHeader',
    plant: withRemote('https://example.org/x', () => ({ 'http.https://example.org/.extraHeader': 'x: y' })),
    calls: [refused(fetch)],
  },
  {
    name: 'a remote whose name is an option',
    plant: set((_, run) => ({ [`remote.--upload-pack=${run}.url`]: 'https://example.org/x' })),
    calls: [
      ['fetch_remote', { remote: '--upload-pack=touch' }, 'not_found'],
      ['fetch_remote', {}, 'not_found'],
    ],
  },
  {
    name: 'objects that a promisor would fetch',
    plant: (repository, run) => {
      withRemote('ext::sh -c RUN', () => ({
        'remote.origin.promisor': 'true',
        'extensions.partialClone': 'origin',
        'protocol.ext.allow': 'always',
      }))(repository, run)
      const blob = repository.git('rev-parse', 'HEAD:a.txt')
      rmSync(join(repository.path, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    },
    calls: [refused(show), refused(fetch)],
    falls: ['cat-file', '-p', 'HEAD:a.txt'],
  },
]

/** Repositories that lead out of their folder. */
export const hostileLinks: readonly HostileRepository[] = [
  {
    name: 'core.worktree',
    plant: (repository) => void repository.git('config', 'core.worktree', repository.outside),
    calls: [status, diff, ['create_commit', { message: 'x', paths: ['.'] }]],
  },
  {
    name: '.git is a link',
    plant: (repository) => moveOut('.git')(repository.path, repository),
    calls: [refused(status), refused(commit)],
  },
  {
    name: '.git names a folder outside',
    plant: (repository) => {
      renameSync(join(repository.path, '.git'), join(repository.outside, 'g'))
      repository.write({ '.git': `gitdir: ${join(repository.outside, 'g')}\n` })
    },
    calls: [refused(status)],
  },
  {
    name: '.git is a file of megabytes',
    plant: (repository) => {
      rmSync(join(repository.path, '.git'), { recursive: true })
      repository.write({ '.git': `gitdir: ${'x'.repeat(5_000_000)}` })
    },
    calls: [refused(status)],
  },
  {
    name: 'commondir leads outside',
    plant: inGit((gitDir, { outside }) => writeFileSync(join(gitDir, 'commondir'), outside)),
    calls: [refused(status)],
  },
  ...['config', 'index', 'logs', 'refs', 'objects', 'HEAD', 'info'].map(
    (name): HostileRepository => ({
      name: `.git/${name} is a link`,
      plant: inGit(moveOut(name)),
      calls: [refused(status), refused(commit)],
    }),
  ),
  {
    name: 'a branch is a link',
    plant: inGit((gitDir, { outside }) => {
      rmSync(join(gitDir, 'refs/heads/main'))
      symlinkSync(join(outside, 'secret.txt'), join(gitDir, 'refs/heads/main'))
    }),
    calls: [refused(commit)],
  },
  {
    name: 'objects are borrowed from outside',
    plant: inGit((gitDir, { outside }) => writeFileSync(join(gitDir, 'objects/info/alternates'), `${outside}\n`)),
    calls: [refused(log)],
  },
  {
    name: 'a folder of the work tree is a link',
    plant: (repository) => symlinkSync(repository.outside, join(repository.path, 'link')),
    calls: [
      ['stage_paths', { paths: ['link/secret.txt'] }, 'refused'],
      ['show_blame', { path: 'link/secret.txt', from: 1, lines: 1 }, 'not_found'],
      ['create_commit', { message: 'x', paths: ['link'] }],
      diff,
    ],
  },
  {
    name: 'mailmap.file lies outside',
    plant: (repository) => {
      repository.git('config', 'mailmap.file', join(repository.outside, 'secret.txt'))
    },
    calls: [log, blame, show],
  },
  {
    name: 'core.excludesFile and core.attributesFile lie outside',
    plant: (repository) => {
      for (const key of ['core.excludesFile', 'core.attributesFile', 'diff.orderFile'])
        repository.git('config', key, join(repository.outside, 'secret.txt'))
    },
    calls: [...reading, commit],
  },
  {
    name: 'blame.ignoreRevsFile lies outside',
    plant: (repository) =>
      void repository.git('config', 'blame.ignoreRevsFile', join(repository.outside, 'secret.txt')),
    calls: [log, refused(blame)],
  },
  {
    name: 'refs/replace shows another commit',
    plant: (repository) => {
      const tree = repository.git('rev-parse', 'HEAD^{tree}')
      repository.git(
        'replace',
        repository.git('rev-parse', 'HEAD'),
        repository.git('commit-tree', tree, '-m', 'OUTSIDE'),
      )
    },
    calls: [['list_commits', {}], show],
  },
  {
    name: 'another git is at work',
    plant: inGit((gitDir) => writeFileSync(join(gitDir, 'index.lock'), '')),
    calls: [status, ['stage_paths', { paths: ['a.txt'] }, 'conflict']],
  },
  {
    name: 'a commit with a file .git/config',
    plant: (repository, run) => treeWithGit(repository, '.git', run),
    calls: [['switch_branch', { name: 'trap', changes: 'stash' }, 'refused']],
  },
  {
    name: 'a commit with a file .GIT/config',
    plant: (repository, run) => treeWithGit(repository, '.GIT', run),
    calls: [['switch_branch', { name: 'trap', changes: 'stash' }, 'refused']],
  },
  {
    name: 'a commit with a file .g\u200cit/config',
    plant: (repository, run) => treeWithGit(repository, '.g\u200cit', run),
    calls: [['switch_branch', { name: 'trap', changes: 'stash' }, 'refused']],
  },
]

function treeWithGit(repository: TestRepository, name: string, run: string): void {
  const stream = `commit refs/heads/trap\ncommitter A <a@x.org> 0 +0000\ndata 1\nx\nM 100644 inline ${name}/config\ndata <<E\n[core]\n\tfsmonitor = ${run}\nE\n\n`
  repository.fastImport(stream)
}
