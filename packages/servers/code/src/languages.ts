import { basename, extname } from 'node:path'

/** A language: its files, and the command of its language server. */
export interface Language {
  readonly name: string
  /** Ends of file names, such as `.ts`; or whole names. */
  readonly files: readonly string[]
  /** The id that the Language Server Protocol has for files, by the end of their names; the name of the language if not here. */
  readonly ids?: { readonly [end: string]: string }
  /** The words of the command; undefined for a language without a server. */
  readonly command?: readonly string[]
  /** Settings that the server may ask for, by section. */
  readonly settings?: { readonly [section: string]: unknown }
}

/** Languages that are known without configuration, with the commands that their servers usually have. */
export const knownLanguages: readonly Language[] = [
  {
    name: 'typescript',
    files: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'],
    ids: {
      '.tsx': 'typescriptreact',
      '.js': 'javascript',
      '.mjs': 'javascript',
      '.cjs': 'javascript',
      '.jsx': 'javascriptreact',
    },
    command: ['typescript-language-server', '--stdio'],
  },
  { name: 'python', files: ['.py', '.pyi'], command: ['pyright-langserver', '--stdio'] },
  {
    name: 'bash',
    files: ['.sh', '.bash'],
    ids: { '.sh': 'shellscript', '.bash': 'shellscript' },
    command: ['bash-language-server', 'start'],
  },
  { name: 'yaml', files: ['.yaml', '.yml'], command: ['yaml-language-server', '--stdio'] },
  { name: 'go', files: ['.go'], command: ['gopls'] },
  { name: 'rust', files: ['.rs'], command: ['rust-analyzer'] },
  {
    name: 'c',
    files: ['.c', '.h', '.cc', '.cpp', '.hpp'],
    ids: { '.cc': 'cpp', '.cpp': 'cpp', '.hpp': 'cpp' },
    command: ['clangd'],
  },
  { name: 'java', files: ['.java'], command: ['jdtls'] },
  { name: 'ruby', files: ['.rb'], command: ['ruby-lsp'] },
  { name: 'php', files: ['.php'], command: ['intelephense', '--stdio'] },
  { name: 'csharp', files: ['.cs'], command: ['csharp-ls'] },
  { name: 'css', files: ['.css', '.scss', '.less'], command: ['vscode-css-language-server', '--stdio'] },
]

/** The known languages with the commands that are configured, and those that are configured beside them. */
export function configuredLanguages(configured: readonly Language[]): readonly Language[] {
  const names = new Set(configured.map(({ name }) => name))
  const known = new Map(knownLanguages.map((language) => [language.name, language]))
  const merged = configured.map((language) => ({ ...known.get(language.name), ...language }))
  return [...merged, ...knownLanguages.filter(({ name }) => !names.has(name))]
}

/** The language of a file; undefined if it has none of those. */
export function languageOf(languages: readonly Language[], path: string): Language | undefined {
  const [end, name] = [extname(path).toLowerCase(), basename(path)]
  return languages.find(({ files }) => files.includes(end) || files.includes(name))
}

/** The id of a file's language in the Language Server Protocol. */
export function languageId({ name, ids = {} }: Language, path: string): string {
  return ids[extname(path).toLowerCase()] ?? name
}
