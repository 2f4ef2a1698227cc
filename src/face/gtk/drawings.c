/* The drawings of the icons, and which icon of the theme means the same. One row an icon of the basic catalog. */
#include "face/gtk/icon.h"

#define DISC(left, y, r, d) "M" left " " y "a" r " " r " 0 1 1 " d " 0a" r " " r " 0 1 1-" d " 0z"
#define HOLE(left, y, r, d) "M" left " " y "a" r " " r " 0 1 0 " d " 0a" r " " r " 0 1 0-" d " 0z"

#define RING DISC("3", "12", "9", "18")
#define HANDSET                                                                                                        \
	"M6.6 3.5h3l1.6 4.4-2 1.6a12 12 0 0 0 5.3 5.3l1.6-2 4.4 1.6v3a2.6 2.6 0 0 1-2.8 2.6A16 16 0 0 1 4 6.3a2.6 2.6 " \
	"0 0 1 2.6-2.8z"
#define SHEET "M4 6.5h16V20H4zM8 3.5v3M16 3.5v3"
#define HEART                                                                                                          \
	"M12 19.5C6 15 3.3 12 3.3 8.8A4.3 4.3 0 0 1 7.6 4.5c1.9 0 3.5 1.1 4.4 2.8.9-1.7 2.5-2.8 4.4-2.8a4.3 4.3 0 0 1 "  \
	"4.3 4.3c0 3.2-2.7 6.2-8.7 10.7z"
#define PADLOCK                                                                                                        \
	"M6.5 10.5h11A1.5 1.5 0 0 1 19 12v7.5a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 19.5V12a1.5 1.5 0 0 1 1.5-1.5z"  \
	"M11 14v3.5h2V14z"
#define BELL                                                                                                           \
	"M12 3a1.5 1.5 0 0 1 1.5 1.6A6 6 0 0 1 18 10.5V15l2 2.5v1H4v-1L6 15v-4.5a6 6 0 0 1 4.5-5.9A1.5 1.5 0 0 1 12 3z"  \
	"M9.8 19.8h4.4a2.2 2.2 0 0 1-4.4 0z"
#define STAR "M12 3.6L14.4 9.3L20.6 9.8L15.9 13.9L17.3 19.9L12 16.7L6.7 19.9L8.1 13.9L3.4 9.8L9.6 9.3z"
#define EYE "M2.5 12c2.4-4.4 5.6-6.5 9.5-6.5s7.1 2.1 9.5 6.5c-2.4 4.4-5.6 6.5-9.5 6.5S4.9 16.4 2.5 12z"
#define SPEAKER "M3.5 9h4l5-4.5v15l-5-4.5h-4z"

const struct sj_gtk_drawing SJ_GTK_DRAWINGS[] = {
	{.name = "accountCircle",
         .line = RING,
         .fill = DISC("9", "10", "3", "6") "M6 18.4c.6-2.7 3-4.4 6-4.4s5.4 1.7 6 4.4a9 9 0 0 1-12 0z"},
	{.name = "add", .theme = "list-add", .line = "M12 5v14M5 12h14"},
	{.name = "arrowBack", .theme = "go-previous", .line = "M20 12H4.5M11 5.5L4.5 12l6.5 6.5", .turns = true},
	{.name = "arrowForward", .theme = "go-next", .line = "M4 12h15.5M13 5.5l6.5 6.5-6.5 6.5", .turns = true},
	{.name = "attachFile",
         .theme = "mail-attachment",
         .line = "M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.4a1.6 1.6 0 0 1-2.3-2.3l7.6-7.6"},
	{.name = "calendarToday", .theme = "x-office-calendar", .line = SHEET, .fill = "M4 6.5h16v4H4zM7 13h4v4H7z"},
	{.name = "call", .theme = "call-start", .fill = HANDSET},
	{.name = "camera",
         .theme = "camera-photo",
         .fill = "M9 4h6l1.7 2.5H20a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V8.5a2 2 0 0 1 2-2h3.3z" HOLE(
		 "7.4", "13", "4.6", "9.2") DISC("9.2", "13", "2.8", "5.6")},
	{.name = "check", .theme = "object-select", .line = "M4.5 12.5l5 5L19.5 7"},
	{.name = "close", .theme = "window-close", .line = "M6 6l12 12M18 6L6 18"},
	{.name = "delete",
         .theme = "user-trash",
         .line = "M4.5 5.5h15M9.5 5V3.8h5V5",
         .fill = "M6 8h12l-.9 11.2a2 2 0 0 1-2 1.8H8.9a2 2 0 0 1-2-1.8zM9.4 10.5V18H11v-7.5zM13 10.5V18h1.6v-7.5z"},
	{.name = "download", .line = "M12 4v11M6.5 10l5.5 5.5 5.5-5.5M4.5 20h15"},
	{.name = "edit",
         .theme = "document-edit",
         .fill = "M4 20l.9-4.6L15.6 4.7a1.8 1.8 0 0 1 2.5 0l1.2 1.2a1.8 1.8 0 0 1 0 2.5L8.6 19.1z"},
	{.name = "error", .fill = DISC("2", "12", "10", "20") "M11 6.5v7h2v-7zM11 15.5v2h2v-2z"},
	{.name = "event", .theme = "x-office-calendar", .line = SHEET, .fill = "M4 6.5h16v4H4zM13 13h4v4h-4z"},
	{.name = "fastForward", .theme = "media-seek-forward", .fill = "M3 6l8.5 6L3 18zM12.5 6l8.5 6-8.5 6z"},
	{.name = "favorite", .theme = "emote-love", .line = HEART, .fill = HEART},
	{.name = "favoriteOff", .line = HEART},
	{.name = "folder",
         .theme = "folder",
         .fill = "M2.5 6a2 2 0 0 1 2-2h5l2 2.5h8a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2z"},
	{.name = "help",
         .line = RING "M9.3 9.5a2.75 2.75 0 1 1 4.2 2.4c-1 .6-1.5 1.2-1.5 2",
         .fill = "M10.9 16h2.2v2.2h-2.2z"},
	{.name = "home", .theme = "user-home", .fill = "M12 3l9.5 8.5H19V20h-5v-6h-4v6H5v-8.5H2.5z"},
	{.name = "info", .line = RING "M12 11.5v5", .fill = DISC("10.7", "7.7", "1.3", "2.6")},
	{.name = "locationOn",
         .theme = "mark-location",
         .fill = "M12 22c-4.8-5.4-7.2-9.5-7.2-12.7a7.2 7.2 0 0 1 14.4 0C19.2 12.5 16.8 16.6 12 22z" HOLE("9.4", "9.3",
                                                                                                         "2.6", "5.2")},
	{.name = "lock", .theme = "changes-prevent", .fill = PADLOCK, .line = "M8 10.5v-3a4 4 0 0 1 8 0v3"},
	{.name = "lockOpen", .theme = "changes-allow", .fill = PADLOCK, .line = "M8 10.5v-3.3a4 4 0 0 1 7.7-1.4"},
	{.name = "mail", .line = "M3 5.5h18v13H3zM3.5 6.5l8.5 7 8.5-7"},
	{.name = "menu", .theme = "open-menu", .line = "M4 6.5h16M4 12h16M4 17.5h16"},
	{.name = "moreHoriz",
         .theme = "view-more-horizontal",
         .fill = DISC("3.5", "12", "2", "4") DISC("10", "12", "2", "4") DISC("16.5", "12", "2", "4")},
	{.name = "moreVert",
         .theme = "view-more",
         .fill = DISC("10", "5.5", "2", "4") DISC("10", "12", "2", "4") DISC("10", "18.5", "2", "4")},
	{.name = "notifications", .theme = "preferences-system-notifications", .fill = BELL},
	{.name = "notificationsOff", .theme = "notifications-disabled", .fill = BELL, .struck = true},
	{.name = "pause", .theme = "media-playback-pause", .fill = "M6 5h4.2v14H6zM13.8 5H18v14h-4.2z"},
	{.name = "payment",
         .fill = "M4 5h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM2 8.5v3h20v-3z"
                 "M4.5 14.5v1.8h5v-1.8z"},
	{.name = "person",
         .theme = "avatar-default",
         .fill = DISC("8", "8", "4", "8") "M4 20c0-3.8 3.4-6 8-6s8 2.2 8 6z"},
	{.name = "phone", .theme = "call-start", .fill = HANDSET},
	{.name = "photo",
         .theme = "image-x-generic",
         .line = "M3.5 4.5h17v15h-17z",
         .fill = "M5.5 17.5l4-5.5 3.2 4 2.3-2.7 3.5 4.2z" DISC("13.9", "9", "1.7", "3.4")},
	{.name = "play", .theme = "media-playback-start", .fill = "M7 4.5l12.5 7.5L7 19.5z"},
	{.name = "print",
         .theme = "printer",
         .fill = "M4.5 8.5h15a2 2 0 0 1 2 2V17H18v-3.5H6V17H2.5v-6.5a2 2 0 0 1 2-2zM6.5 3.5h11V7h-11z"
                 "M7.8 15h8.4v6H7.8z"},
	{.name = "refresh", .theme = "view-refresh", .line = "M19.5 13a7.5 7.5 0 1 1-2-6l2.2 2M19.7 4v5h-5"},
	{.name = "rewind", .theme = "media-seek-backward", .fill = "M21 6v12l-8.5-6zM11.5 6v12L3 12z"},
	{.name = "search", .theme = "system-search", .line = DISC("4.5", "10.5", "6", "12") "M15 15l5.5 5.5"},
	{.name = "send",

         .fill = "M3.2 19.8L21.5 12 3.2 4.2 5 10.8l8.5 1.2L5 13.2z",
         .turns = true},
	{.name = "settings",
         .theme = "emblem-system",
         .fill = "M19 10.1L21.9 10.3V13.7L19 13.9L18.3 15.6L20.2 17.8L17.8 20.2L15.6 18.3L13.9 19L13.7 21.9H10.3L10.1 19"
                 "L8.4 18.3L6.2 20.2L3.8 17.8L5.7 15.6L5 13.9L2.1 13.7V10.3L5 10.1L5.7 8.4L3.8 6.2L6.2 3.8L8.4 5.7"
                 "L10.1 5L10.3 2.1H13.7L13.9 5L15.6 5.7L17.8 3.8L20.2 6.2L18.3 8.4z" HOLE("8.6", "12", "3.4", "6.8")},
	{.name = "share",
         .theme = "emblem-shared",
         .fill = DISC("3", "12", "3", "6") DISC("14.5", "5.5", "3", "6") DISC("14.5", "18.5", "3", "6"),
         .line = "M6 12l11.5-6.5M6 12l11.5 6.5"},
	{.name = "shoppingCart",
         .line = "M2.5 4h2.6l2.7 11h10.4l2.3-8H6",
         .fill = DISC("7.3", "19.5", "1.7", "3.4") DISC("15.3", "19.5", "1.7", "3.4")},
	{.name = "skipNext", .theme = "media-skip-forward", .fill = "M5 5l10 7-10 7zM16.5 5H19v14h-2.5z"},
	{.name = "skipPrevious", .theme = "media-skip-backward", .fill = "M19 5v14L9 12zM5 5h2.5v14H5z"},
	{.name = "star", .fill = STAR, .line = STAR},
	{.name = "starHalf", .line = STAR, .fill = "M12 3.6v13.1L6.7 19.9L8.1 13.9L3.4 9.8L9.6 9.3z"},
	{.name = "starOff", .line = STAR},
	{.name = "stop", .theme = "media-playback-stop", .fill = "M6 6h12v12H6z"},
	{.name = "upload", .line = "M12 16V5M6.5 10L12 4.5l5.5 5.5M4.5 20h15"},
	{.name = "visibility", .theme = "view-reveal", .line = EYE, .fill = DISC("8.8", "12", "3.2", "6.4")},
	{.name = "visibilityOff",
         .theme = "view-conceal",
         .line = EYE,
         .fill = DISC("8.8", "12", "3.2", "6.4"),
         .struck = true},
	{.name = "volumeDown", .theme = "audio-volume-low", .fill = SPEAKER, .line = "M15.8 9.5a3.6 3.6 0 0 1 0 5"},
	{.name = "volumeMute", .fill = SPEAKER},
	{.name = "volumeOff",
         .theme = "audio-volume-muted",
         .fill = SPEAKER,
         .line = "M16 9.7l4.6 4.6M20.6 9.7L16 14.3"},
	{.name = "volumeUp",
         .theme = "audio-volume-high",
         .fill = SPEAKER,
         .line = "M15.8 9.5a3.6 3.6 0 0 1 0 5M18.3 6.5a7.8 7.8 0 0 1 0 11"},
	{.name = "warning", .theme = "dialog-warning", .fill = "M12 2.8l10.5 17.7h-21zM11 9v6h2V9zM11 16.5v2h2v-2z"},
};
const size_t SJ_GTK_NDRAWINGS = G_N_ELEMENTS(SJ_GTK_DRAWINGS);

const struct sj_gtk_drawing SJ_GTK_UNKNOWN_DRAWING = {
	.name = "", .line = "M6 4h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z",
	.fill = DISC("9.8", "12", "2.2", "4.4")};

const struct sj_gtk_drawing *sj_gtk_drawing(struct sj_slice name)
{
	for (size_t i = 0; i < SJ_GTK_NDRAWINGS; i++)
		if (sj_slice_is(name, SJ_GTK_DRAWINGS[i].name))
			return &SJ_GTK_DRAWINGS[i];
	return NULL;
}
