/** Entry of the bundled program. */
import { main } from './command-line';
import { streamIo } from './streams';

/** An error of the program itself (EX_SOFTWARE of sysexits.h). */
const SOFTWARE = 70;

const io = streamIo(process.stdout, process.stderr);

/** Errors of the streams arrive later than the write: the code is settled when nothing is left to do. */
let code = SOFTWARE;
process.on('exit', () => {
  process.exitCode = io.exitCode(code);
});

main(process.argv.slice(2), io).then(
  (done) => {
    code = done;
  },
  (error: unknown) => {
    io.err(`swaplab: an error of the program itself: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  },
);
