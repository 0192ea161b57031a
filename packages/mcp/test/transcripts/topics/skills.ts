import { server } from '../../../src/index.ts'
import { type ClientSkills, skills as extension } from '../../../src/skills.ts'
import { skillFiles } from '../../fixtures/skills.ts'
import { cafe, type Topic } from '../topic.ts'

export const skills: Topic = {
  says: 'A client lists the skills, loads one of them, reads a file that it needs, and looks into a directory.',
  server: () => server({ ...cafe, extensions: [extension(skillFiles, { watch: false })] }),
  options: { extensions: [extension()] },
  async talk(client) {
    const { skills: own } = client as unknown as { skills: ClientSkills }
    const [brewing] = await own.list().all()
    if (!brewing) throw new Error('There is no skill')
    const skill = await own.load(brewing)
    await skill.read('recipes/cortado.md')
    await own.get(brewing.uri)
    await client.request('resources/directory/read', { uri: 'skill://brewing' })
  },
}
