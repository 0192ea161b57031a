import { codeFiles } from './code-files.ts'
import { deliveryFiles } from './delivery-files.ts'

/** Description of a new project. */
export interface NewProject {
  /** The name of its package and of its server. */
  readonly name: string
  /** The versions of what it depends on. */
  readonly versions: { readonly [dependency: string]: string }
}

/** The files of a new project, by path. */
export function projectFiles(project: NewProject): { readonly [path: string]: string } {
  return { ...manifestFiles(project), ...codeFiles(project.name), ...deliveryFiles(project.name) }
}

function manifestFiles({ name, versions }: NewProject): { readonly [path: string]: string } {
  const at = (...names: readonly string[]) => Object.fromEntries(names.map((one) => [one, versions[one] ?? '*']))
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    bin: { [name.replace(/^@[^/]+\//, '')]: 'src/main.ts' },
    scripts: {
      start: 'node src/main.ts',
      dev: 'trunkline dev -- node src/main.ts',
      check: 'trunkline check -- node src/main.ts',
      types: 'tsc',
      test: 'tsc && node --test',
    },
    dependencies: at('@trunkline/mcp', 'zod'),
    devDependencies: at('@types/node', 'trunkline', 'typescript'),
  }
  const compiler = {
    compilerOptions: {
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable'],
      types: ['node'],
      module: 'nodenext',
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      noEmit: true,
    },
    include: ['src', 'test'],
  }
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(compiler, null, 2)}\n`,
  }
}
