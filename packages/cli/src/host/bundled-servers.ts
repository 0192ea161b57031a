import { fileURLToPath } from 'node:url'

/** A server that comes along with Trunkline. */
export interface BundledServer {
  /** Marks of the data that it reads. */
  readonly data: readonly ('private' | 'untrusted')[]
  /** Its tools by what they do. */
  readonly classes: { readonly [Name in 'reads' | 'writes' | 'destroys']: readonly string[] }
  /** Ways to sign it in: by a token, and where the product has them by an app of the person's own. */
  readonly signIn?: { readonly token: BundledSignIn; readonly app: BundledSignIn }
  /** True if it writes only to repositories that are named. */
  readonly takesRepos?: boolean
}

/** A way to sign a bundled server in. */
export interface BundledSignIn {
  /** Variables of the program, each with the secret that it holds. */
  readonly secrets: { readonly [variable: string]: string }
  /** Steps of the person. */
  readonly steps: readonly string[]
}

const githubPermissions =
  '  permissions: Contents, Checks, Commit statuses, Actions: read; Issues, Pull requests: read and write (merging needs Contents: write)'
const githubClasses =
  'If all of your repositories are private, "writes" is enough for create_issue, add_comment, create_pull and review_pull; you decide in "classes"'
/** Manifest of the app, as the page of GitHub that registers it takes it. */
const githubApp = new URLSearchParams({
  name: 'trunkline for YOUR-NAME',
  url: 'http://localhost',
  public: 'false',
  webhook_active: 'false',
  contents: 'read',
  checks: 'read',
  statuses: 'read',
  actions: 'read',
  issues: 'write',
  pull_requests: 'write',
})

/** The bundled servers by name; a bare name after `add` means one of them. */
export const bundledServers: { readonly [name: string]: BundledServer } = {
  files: {
    data: [],
    classes: {
      reads: ['list_directory', 'read_file', 'find_files', 'search_text'],
      writes: ['move_path', 'trash_path'],
      destroys: ['write_file', 'edit_file'],
    },
  },
  git: {
    data: ['untrusted'],
    classes: {
      reads: ['get_status', 'list_commits', 'show_commit', 'show_diff', 'show_blame', 'list_refs'],
      writes: ['stage_paths', 'create_commit', 'switch_branch', 'merge_ref', 'fetch_remote'],
      destroys: ['push_branch'],
    },
  },
  github: {
    data: ['private', 'untrusted'],
    classes: {
      reads: ['list_items', 'search_github', 'get_pull', 'get_issue', 'get_file', 'get_checks'],
      writes: ['update_issue'],
      destroys: ['create_issue', 'add_comment', 'create_pull', 'review_pull', 'merge_pull'],
    },
    takesRepos: true,
    signIn: {
      token: {
        secrets: { GITHUB_TOKEN: 'github.token' },
        steps: [
          'Make a token: https://github.com/settings/personal-access-tokens/new',
          '  repositories: those that you work with; no others',
          githubPermissions,
          'Keep it: trunkline secret set github.token',
          githubClasses,
        ],
      },
      app: {
        secrets: { GITHUB_APP_ID: 'github.app', GITHUB_APP_KEY: 'github.key' },
        steps: [
          `Register an app, which only you can use: https://github.com/settings/apps/new?${githubApp}`,
          githubPermissions,
          'On its page, install it for your account, with the repositories that you work with; no others',
          'Keep its App ID: trunkline secret set github.app',
          'On its page, generate a private key, and keep it: trunkline secret set github.key < FILE.pem',
          'What it writes is written by the app, not by you',
          githubClasses,
        ],
      },
    },
  },
  code: {
    data: [],
    classes: {
      reads: [
        'list_symbols',
        'get_definition',
        'find_references',
        'get_hover',
        'list_diagnostics',
        'get_syntax',
        'list_servers',
        'get_test_results',
      ],
      writes: ['run_tests', 'rename_symbol'],
      destroys: [],
    },
  },
}

/** The program of a bundled server; undefined where this installation does not have it. */
export function bundledProgram(name: string): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve(`#${name}-server`))
  } catch {
    return undefined
  }
}

/** The classes of the tools of a bundled server, as an entry of the configuration has them. */
export function presetClasses({ classes }: BundledServer): { readonly [tool: string]: string } {
  return Object.fromEntries(Object.entries(classes).flatMap(([kind, tools]) => tools.map((tool) => [tool, kind])))
}

/** One line per class with the tools that have it. */
export function presetLines({ classes }: BundledServer): readonly string[] {
  const kinds = Object.entries(classes).filter(([, tools]) => tools.length > 0)
  return kinds.map(([kind, tools]) => `${kind}: ${tools.join(', ')}`)
}
