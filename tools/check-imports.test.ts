import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImports } from './check-imports.ts'

const problemsIn = (text: string, path = 'packages/cli/src/x.ts') => checkImports([{ path, text }])

test('checkImports: a path, or what may be one, is a problem, also in a program within a text', () => {
  const imports = [
    'await import(main)',
    "await import(join(folder, 'src/main.ts'))",
    "await import('/home/ann/main.ts')",
    "await import('C:/main.ts')",
    `await import(\`\${folder}/main.ts\`)`,
    `const program = \`await import(\${JSON.stringify(path)})\``,
  ]
  for (const text of imports)
    assert.deepEqual(
      problemsIn(`// import(x)\n${text}`).map(({ line }) => line),
      [2],
      text,
    )
})

test('checkImports: names, relative paths, URLs and listed variables are none', () => {
  const imports = [
    "await import('./main.ts')",
    'await import("@trunkline/mcp")',
    `await import(\`../fixtures/\${name}.ts\`)`,
    'await import(pathToFileURL(join(root, path)).href)',
    `const program = \`await import(\${JSON.stringify(new URL("x.ts", import.meta.url))})\``,
    '/** `import(…)` of a path */',
    'await loader.import(path)',
  ]
  for (const text of imports) assert.deepEqual(problemsIn(text), [], text)
  assert.deepEqual(problemsIn('await import(name)', 'packages/stores/redis/src/driver.ts'), [])
})
