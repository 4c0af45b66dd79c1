import { Module } from '@nestjs/common';
import { AuthenticationWindowGuard } from './authentication-window.guard.js';

/** The window after strong customer authentication in which everything may be read. */
@Module({ providers: [AuthenticationWindowGuard], exports: [AuthenticationWindowGuard] })
export class ScaModule {}
