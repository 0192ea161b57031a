import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { serve, server } from '@trunkline/mcp'
import { lacking } from '../../../tools/lib/needs.ts'
import { splitLine } from '../src/command/split-line.ts'
import { registry } from '../src/registry.ts'
import { commandPath } from './command-path.ts'
import { hasProgram } from './has-program.ts'
import { runCli } from './run-cli.ts'

const run = promisify(execFile)
const bin = mkdtempSync(join(tmpdir(), 'completion-'))
symlinkSync(commandPath, join(bin, 'trunkline'))
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
describe('completion and the man page', () => {
  after(() => rmSync(bin, { recursive: true }))

  async function candidates(line: string): Promise<readonly string[]> {
    const { stdout } = await runCli(['completion', '--line', line])
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((text) => text.split('\t', 1)[0] ?? '')
  }

  test('completion: commands and options', async () => {
    assert.deepEqual(await candidates('trunkline pr'), ['proof', 'prompts', 'prompt', 'probe'])
    assert.deepEqual(await candidates('trunkline call --un'), ['--unchecked'])
    assert.deepEqual(await candidates('trunkline trace pin'), ['ping'])
    assert.deepEqual(await candidates('trunkline tools -- node --js'), [])
  })

  test('completion: tools, arguments, their values, prompts and what the server completes', async () => {
    const size = {
      type: 'object',
      properties: { size: { enum: ['small', 'large'] }, gift: { type: 'boolean' } },
    } as const
    const shop = server({ name: 'shop', version: '1', onWarning: () => {} })
      .tool('order', { input: size }, () => 'ordered')
      .tool('$(reboot)', {}, () => 'no')
      .prompt(
        'poem',
        { arguments: [{ name: 'topic' }], complete: { topic: (value) => [`${value}oes`, 'a b; reboot'] } },
        () => 'poem',
      )
    await using running = await serve(shop, { http: 0 })
    const at = `trunkline call ${running.url}`
    assert.deepEqual(await candidates(`${at} `), ['order'])
    assert.deepEqual(await candidates(`${at} order `), ['size=', 'gift='])
    assert.deepEqual(await candidates(`${at} order size=l`), ['size=large'])
    assert.deepEqual(await candidates(`${at} order gift=`), ['gift=true', 'gift=false'])
    assert.deepEqual(await candidates(`trunkline prompt ${running.url} poem topic=sh`), ['topic=shoes'])
  })

  test('completion bash: completes what stands after = and : without repeating it', {
    skip: lacking('posix', hasProgram('bash')),
  }, async () => {
    const script = `source <(trunkline completion bash)
    complete_line() { COMP_LINE="$1"; COMP_POINT=\${#1}; _trunkline; printf '%s\\n' "\${COMPREPLY[@]}"; }
    complete_line 'trunkline disc'; complete_line 'trunkline watch --rev'`
    const { stdout } = await run('bash', ['-c', script], { env })
    assert.equal(stdout, 'discover\n--revision\n')
  })

  test('completion zsh and fish: the scripts load, and fish completes', {
    skip: lacking('shells', hasProgram('zsh', 'fish')),
  }, async () => {
    const file = join(bin, 'trunkline.zsh')
    writeFileSync(file, (await runCli(['completion', 'zsh'])).stdout)
    await run(
      'zsh',
      [
        '-f',
        '-c',
        `autoload -U compinit; compinit -D -d ${bin}/dump; source ${file}; [[ $_comps[trunkline] = _trunkline ]]`,
      ],
      { env },
    )
    // files are offered where nothing else is
    writeFileSync(join(bin, 'discs.jsonl'), '')
    const fish = `trunkline completion fish | source; complete -C 'trunkline disc'; complete -C 'trunkline replay disc'`
    const { stdout } = await run('fish', ['--no-config', '-c', fish], { env: { ...env, HOME: bin }, cwd: bin })
    assert.match(stdout, /^discover\tShows the name[^\n]*\ndiscs\.jsonl\b[^\n]*\n$/)
  })

  test('the man page: nothing that mandoc complains about, and it shows every command with its options and examples', {
    skip: lacking('shells', hasProgram('mandoc')),
  }, async () => {
    const page = join(import.meta.dirname, '../man/trunkline.1')
    const { stdout: complaints } = await run('mandoc', ['-T', 'lint', '-W', 'warning', page]).catch(
      (found: { stdout: string }) => found,
    )
    // a page without a date is the same on every machine that makes it
    assert.deepEqual(
      complaints.split('\n').filter((line) => line !== '' && !line.includes('missing date')),
      [],
    )
    const { stdout } = await run('mandoc', ['-T', 'utf8', '-O', 'width=1000', page])
    // removes the overstrikes that make text bold or underlined
    const shown = stdout.replaceAll(/.[\b]/g, '')
    for (const load of Object.values(registry)) {
      const { name, summary, options, examples } = await load()
      assert.match(shown, new RegExp(`^ {3}${name}$`, 'm'))
      assert.ok(shown.includes(`${summary}.`), name)
      for (const option of Object.keys(options)) assert.ok(shown.includes(`--${option}`), `${name} --${option}`)
      for (const { line } of examples) assert.ok(shown.includes(line), line)
    }
    assert.match(shown, /^EXIT STATUS\n[\s\S]*^ +124 +the time given with --timeout ran out$/m)
  })

  test('splitLine: as a shell reads a line, open quotes included', () => {
    assert.deepEqual(splitLine(`a 'b c' "d \\" e" f\\ g `), ['a', 'b c', 'd " e', 'f g', ''])
    assert.deepEqual(splitLine(`call "x y`), ['call', 'x y'])
  })
})
