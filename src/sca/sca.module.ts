import { Module } from '@nestjs/common';
import { ConsentsModule } from '../consents/consents.module.js';
import { AuthenticationWindowCheck } from './authentication-window.check.js';

/** The window after strong customer authentication in which everything may be read. */
@Module({ imports: [ConsentsModule], providers: [AuthenticationWindowCheck], exports: [AuthenticationWindowCheck] })
export class ScaModule {}
