import { fileURLToPath } from 'node:url'

/** A server that comes along with Trunkline. */
export interface BundledServer {
  /** Marks of the data that it reads. */
  readonly data: readonly ('private' | 'untrusted')[]
  /** Its tools by what they do. */
  readonly classes: { readonly [Name in 'reads' | 'writes' | 'destroys']: readonly string[] }
  /** Variables of the program, each with the secret that it holds. */
  readonly secrets?: { readonly [variable: string]: string }
  /** True if it writes only to repositories that are named. */
  readonly takesRepos?: boolean
  /** Steps of the person that sign it in. */
  readonly steps?: readonly string[]
}

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
    secrets: { GITHUB_TOKEN: 'github.token' },
    takesRepos: true,
    steps: [
      'Make a token: https://github.com/settings/personal-access-tokens/new',
      '  repositories: those that you work with; no others',
      '  permissions: Contents, Checks, Commit statuses, Actions: read; Issues, Pull requests: read and write (merging needs Contents: write)',
      'Keep it: trunkline secret set github.token',
      'If all of your repositories are private, "writes" is enough for create_issue, add_comment, create_pull and review_pull; you decide in "classes"',
    ],
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
