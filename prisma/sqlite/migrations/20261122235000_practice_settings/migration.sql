-- CreateTable
CREATE TABLE "practice_settings" (
    "id" INTEGER NOT NULL PRIMARY KEY DEFAULT 1,
    "weeklyHours" TEXT,
    "pauseMinutes" INTEGER NOT NULL DEFAULT 0,
    "noticeMinutes" INTEGER NOT NULL DEFAULT 0,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "practice_settings_one_row" CHECK ("id" = 1),
    CONSTRAINT "practice_settings_pause" CHECK ("pauseMinutes" BETWEEN 0 AND 120),
    CONSTRAINT "practice_settings_notice" CHECK ("noticeMinutes" BETWEEN 0 AND 20160)
);
