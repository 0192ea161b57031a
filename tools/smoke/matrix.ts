/** A TypeScript that users have. */
export type TypeScript = '5.6' | '5.9' | '6.0' | '7.0'

/** One compilation: which programs, by which compiler, and how it is set up. */
export interface Compilation {
  readonly typescript: TypeScript
  /** A folder of programs: those of the guides, or one of `tools/smoke/programs/`. */
  readonly programs: 'guides' | 'portable' | 'node' | 'commonjs' | 'isolated'
  readonly options: { readonly [name: string]: unknown }
}

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  // those of the compiler itself are not ours to check
  skipDefaultLibCheck: true,
  declaration: true,
  emitDeclarationOnly: true,
}
/**
 * The programs of the guides run as they are, so they import files as they are. They also import packages of others,
 * whose declarations take most of the time of a compiler; ours are checked with the other programs.
 */
const guides = { ...strict, skipLibCheck: true, allowImportingTsExtensions: true }
const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
/** Settings of a server: the declarations of Node, and none of a browser. */
const node = { target: 'es2022', lib: ['es2023', 'esnext.disposable'], types: ['node'] }
/** Settings of a page or a worker. */
const browser = { target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] }

/**
 * Each compiler with each way to find modules and with each set of globals, though not every combination: the oldest
 * and the newest compile all, those between what differs in them.
 */
export const compilations: readonly Compilation[] = [
  { typescript: '5.6', programs: 'guides', options: { ...guides, ...nodenext, ...node } },
  { typescript: '5.6', programs: 'portable', options: { ...strict, ...bundler, ...browser } },
  { typescript: '5.6', programs: 'commonjs', options: { ...strict, module: 'node16', ...node } },
  { typescript: '5.9', programs: 'guides', options: { ...guides, ...bundler, ...node } },
  { typescript: '5.9', programs: 'portable', options: { ...strict, ...nodenext, ...browser } },
  { typescript: '5.9', programs: 'commonjs', options: { ...strict, ...nodenext, ...node } },
  { typescript: '5.9', programs: 'isolated', options: { ...strict, ...nodenext, ...node, isolatedDeclarations: true } },
  { typescript: '6.0', programs: 'guides', options: { ...guides, ...nodenext, ...node } },
  { typescript: '6.0', programs: 'portable', options: { ...strict, ...nodenext, ...browser } },
  { typescript: '7.0', programs: 'guides', options: { ...guides, ...nodenext, ...node } },
  { typescript: '7.0', programs: 'guides', options: { ...guides, ...bundler, ...node } },
  { typescript: '7.0', programs: 'portable', options: { ...strict, ...bundler, ...browser } },
  {
    typescript: '7.0',
    programs: 'node',
    options: { ...strict, ...nodenext, ...node, allowImportingTsExtensions: true },
  },
  { typescript: '7.0', programs: 'commonjs', options: { ...strict, ...nodenext, ...node } },
  { typescript: '7.0', programs: 'isolated', options: { ...strict, ...nodenext, ...node, isolatedDeclarations: true } },
]
