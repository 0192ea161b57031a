/** Files that build, test and ship a new project. */
export function deliveryFiles(name: string): { readonly [path: string]: string } {
  const server = name.replace(/^@[^/]+\//, '')
  return {
    Dockerfile: `FROM node:24-slim
WORKDIR /app
COPY package*.json ./
RUN npm install --omit=dev --no-fund --no-audit
COPY src ./src
USER node
# docker run -i for stdin and stdout; for HTTP: docker run -p 3000:3000 IMAGE --http 0.0.0.0:3000 --allowed-hosts localhost
ENTRYPOINT ["node", "src/main.ts"]
`,
    '.dockerignore': 'node_modules\n.git\ntest\n',
    '.gitignore': 'node_modules\n',
    '.github/workflows/test.yml': `name: test
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [22, 24]
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with: { node-version: '\${{ matrix.node }}' }
      - run: npm install
      - run: npm test
      - run: npm run check
`,
    'README.md': `# ${server}

A Model Context Protocol server.

| command         | what it does                                                  |
| --------------- | ------------------------------------------------------------- |
| \`npm test\`      | checks the types, and the server in every protocol revision   |
| \`npm run dev\`   | runs it while you work on it, and shows what passes            |
| \`npm run check\` | says what each client will make of it                         |
| \`npm start\`     | serves it over stdin and stdout, as clients start it           |

\`src/server.ts\` is what it offers, \`src/main.ts\` how it is served.
`,
  }
}
