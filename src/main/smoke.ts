/** `--smoke`: does this build work at all? One line of JSON on stdout, exit code 0 or 1. */
import { app } from 'electron';

export async function runSmokeTest(): Promise<void> {
  await app.whenReady();
  process.stdout.write(`${JSON.stringify({ ok: true })}\n`);
  app.exit(0);
}
