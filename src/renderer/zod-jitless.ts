// zod would try out `new Function`, which the content security policy refuses and reports. Imported before anything parses.
import { z } from 'zod';

z.config({ jitless: true });
